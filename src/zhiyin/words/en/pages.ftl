# What all pages say.
skip-to-contents = Skip to the contents
further-rows = { $n ->
    [one] One more row
   *[other] { $n } more rows
}
written-by = Written by Zhiyin { $version }.
