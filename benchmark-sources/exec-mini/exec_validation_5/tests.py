assert balanced_markup_tags("") is None
assert balanced_markup_tags("<b>hi</b>") is None
assert balanced_markup_tags("<div><p>x</p></div>") is None
assert balanced_markup_tags("<b><i>x</b></i>") == "b"
assert balanced_markup_tags("<b>x") == "b"
assert balanced_markup_tags("</p>") == "p"
assert balanced_markup_tags("a<br>b<img src='x'>") is None
assert balanced_markup_tags("<div><span/></div>") is None
assert balanced_markup_tags("<ul><li>x") == "ul"
