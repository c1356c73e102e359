# What all pages say.

skip-to-contents = Skip to the contents
