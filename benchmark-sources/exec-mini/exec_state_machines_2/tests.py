assert strip_block_comments("") == ""
assert strip_block_comments("a = 1;") == "a = 1;"
assert strip_block_comments("a /* b */ c") == "a  c"
assert strip_block_comments('x = "/* no */";') == 'x = "/* no */";'
assert strip_block_comments("a /* open") == "a "
assert strip_block_comments('"\\"/*" /*c*/ d') == '"\\"/*"  d'
assert strip_block_comments("/**/x/* y */") == "x"
assert strip_block_comments("/*/ a */b") == "b"
assert strip_block_comments('"a\\') == '"a\\'
assert strip_block_comments('"ab/* */"') == '"ab/* */"'
