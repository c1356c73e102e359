# The page of what a model hears.

hearing-what = What { $model } hears
hearing-table = The same as a table
