# The lab book's own words.
lab-all = all
