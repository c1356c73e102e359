# Words that benchmarks have for groups of questions: runs/figures.py.

group-word = { $name ->
   *[other] { $plain }
}
group-setting = { $tag ->
   *[other] { $value ->
       *[other] { $plain }
    }
}
group-path = { $first }{ $joint }{ $rest }
people-group = this group of { $many } people{ $label ->
    [none] {""}
   *[other] {" "}({ $label })
}
