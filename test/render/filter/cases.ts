/** Small texts and what the filter makes of them, by what they show. */
export const home = 'https://harbour.example'
export type Case = readonly [html: string, safe: string]
export type Groups = { readonly [group: string]: readonly Case[] }

export const contentCases: Groups = {
  'listed elements and attributes stay': [
    ['<p>Plain <em>text</em></p>', '<p>Plain <em>text</em></p>'],
    ['<h3 id="tide" class="a  b" align="left">Tide</h3>', '<h3 id="tide" class="a  b" align="left">Tide</h3>'],
    ['<td rowspan=2 nowrap>1</td>', '<td rowspan="2" nowrap>1</td>'],
    ['<ol reversed start="3"><li value="9">x</ol>', '<ol reversed start="3"><li value="9">x</ol>'],
    ['<math display="block" href="/x"><mn src="y">1</mn></math>', '<math display="block"><mn>1</mn></math>'],
    ['<p data-Tide_1="high" data-é="2" data-="3">x', '<p data-tide_1="high">x'],
    [
      '<span aria-label="Buoy" aria-checked="true" xml:lang="en">x</span>',
      '<span aria-label="Buoy" xml:lang="en">x</span>',
    ],
  ],
  'what is not listed goes, its text stays': [
    ['a<script>b()</script>c', 'ab()c'],
    [
      '<center>a</center><font color="red" style="color:red" onclick="x()">b</font>',
      'a<font color="red" style="color:red">b</font>',
    ],
    ['<iframe src="x"></iframe><form action="/"><input><select><option>a</select></form>', 'a'],
    ['<svg onload="x()"><circle r="1"/><style>y</style></svg>', 'y'],
    ['<!doctype html><?xml a?><![CDATA[b]]>c', 'c'],
    ['<my-map zoom="3">Bay</my-map>', 'Bay'],
    ['<p onmouseover="x()" contenteditable>b</p>', '<p>b</p>'],
  ],
  'tags leave in one form': [
    ["<IMG SRC=/a.png ALT='\"'>", '<IMG src="/a.png" alt="&quot;">'],
    ['<br/><hr  class=a />', '<br /><hr class="a" />'],
    ['<p id=a/>x</P >', '<p id="a/" />x</P>'],
    ['<p title="a" TITLE="b" title>x', '<p title="a">x'],
    ['<p title=">" lang>x', '<p title="&gt;" lang>x'],
    ['<b>x</i></b></u>', '<b>x</i></b></u>'],
    ['< em >x< / em >< /em >', '<em>x&lt; / em &gt;</em>'],
    ['< x >a < b and c > d', '&lt; x &gt;a &lt; b and c &gt; d'],
  ],
  'signs and references in text': [
    ['Q & A &copy; &nope; 1 < 2 > 0 "q" \'a\'', 'Q &amp; A &copy; &amp;nope; 1 &lt; 2 &gt; 0 "q" \'a\''],
    ['&#65; &#x41; &#X2019; &#7; &#xd800; &#150;', '&#065; &#x41; &#x2019; &amp;#7; &amp;#xd800; &#8211;'],
    ['&copy &amp;copy; &AMP; &#38 x', '&amp;copy &amp;copy; &amp;AMP; &amp;#38 x'],
    ['a\0b\x01c\td\ne\x0bf\r\n', 'abc\td\nef\r\n'],
    ['<p title="&#39;&lt;&eacute;&x">y', '<p title="&#039;&lt;&eacute;&amp;x">y'],
    ['end <b', 'end &lt;b'],
  ],
  addresses: [
    ['<a href="JavaScript:x()">y</a>', '<a href="x()">y</a>'],
    ['<a href="jav&#x61;script&#58;javascript:x()">y</a>', '<a href="x()">y</a>'],
    ['<a href="java&Tab;script&colon;x()">y</a>', '<a href="java&amp;Tab;script&amp;colon;x()">y</a>'],
    ['<img src="data:text/html,x" longdesc="vbscript:y">', '<img src="text/html,x" longdesc="y">'],
    ['<a href="\t\x01 MailTo:a@b.example">m</a>', '<a href="mailto:a@b.example">m</a>'],
    ['<a href="feed:feed: https://a.example/">f</a>', '<a href="feed:https://a.example/">f</a>'],
    ['<a href="feed:data:x">f</a>', '<a href="feed:x">f</a>'],
    ['<a href="https&#58;//a.example/?b=&#58;">n</a>', '<a href="https://a.example/?b=&#058;">n</a>'],
    ['<img src="HTTP&#x3A;//a.example/">', '<img src="http://a.example/">'],
    ['<a href="mailto&colon;a@b.example">m</a>', '<a href="mailto:a@b.example">m</a>'],
    [
      '<a href=" javascript&#0058;x()">y</a><a href="javascript&colon;x()">y</a>',
      '<a href="x()">y</a><a href="x()">y</a>',
    ],
    ['<a href="//a.example/?b&c=&copy;">r</a>', '<a href="//a.example/?b&amp;c=&copy;">r</a>'],
    ['<a href="gone:&amp;#106;&quot;">r</a>', '<a href="&amp;#106;&quot;">r</a>'],
    ['<a href>r</a><q cite="#top">s</q>', '<a href>r</a><q cite="#top">s</q>'],
    ['<p title="javascript:x()">y', '<p title="javascript:x()">y'],
  ],
  'styles are read decoded': [
    ['<p style="font-family: &quot;Sea Sans&quot;; top:0">x', '<p style="font-family: &quot;Sea Sans&quot;;top:0">x'],
    ['<p style="color&#58;red; widt\\h:1px">x', '<p style="color:red">x'],
    ['<p style="behavior:url(x)" style="color:red">x', '<p>x'],
    ['<p style>x', '<p>x'],
  ],
  'references to characters': [
    ['&#xe000;&#x1f600;&#57344;&#128512;', '&#xe000;&#x1f600;&#57344;&#128512;'],
    ['&#xd800;&#xffff;&#x110000;&#11;', '&amp;#xd800;&amp;#xffff;&amp;#x110000;&amp;#11;'],
  ],
  'special attributes': [
    ['<a href="/a" download>a</a><a download="b">b</a>', '<a href="/a" download>a</a><a>b</a>'],
    [
      `<object type="application/pdf" data="${home}/a/b.pdf" class="c" width="5">x</object>`,
      `<object type="application/pdf" data="${home}/a/b.pdf" class="c">x</object>`,
    ],
    [`<object data="${home}/a.pdf" class="c">x</object>`, '<object>x</object>'],
    [`<object type="application/pdf" data="${home}.evil.example/a.pdf">`, '<object>'],
    [`<object type="application/pdf" data="https://harbour.example@evil.example/a.pdf">`, '<object>'],
    [`<object type="application/pdf" data="${home}/a.pdf?x.pdf">`, '<object>'],
    [`<object type="application/pdf" data="x" data="${home}/a.pdf">`, '<object>'],
  ],
  comments: [
    ['<!--more on--><!--nextpage-->', '<!--more on--><!--nextpage-->'],
    ['<!-- R&D <script>x()</script> -->', '<!-- R&amp;D x() -->'],
    ['a<!-- --b --- --!>c', 'a<!-- -b - -->c'],
    ['<!-- never closed', '<!-- never closed-->'],
    ['<!-- out <b>there</b> -->', '&lt;!-- out <b>there</b> --&gt;'],
    ['<!-->a--><!--->b', '<!---->a--&gt;<!---->b'],
    ['<!-- <!-- nested -->', '<!-- &lt;!- nested -->'],
  ],
  'block markers': [
    ['<!-- cms:void  /-->', '<!-- cms:void  /-->'],
    ['<!-- cms:box { "a" : 1.0, "b": [ "c" ] } /-->', '<!-- cms:box { "a" : 1.0, "b": [ "c" ] } /-->'],
    [
      '<!-- cms:box {"t":"R&D \\u003cscript>x()\\u003c/script>--"} /-->',
      '<!-- cms:box {"t":"R\\u0026amp;D x()\\u002d\\u002d"} /-->',
    ],
    ['<!-- cms:box {"t":"<b class=\'c\'>"} /-->', '<!-- cms:box {"t":"\\u003cb class=\\u0022c\\u0022\\u003e"} /-->'],
    ['<!--\u00a0cms:box\u2003{"t":"\\u003ci x>"} /-->', '<!-- cms:box {"t":"\\u003ci\\u003e"} /-->'],
    ['<!-- cms:box {"t":"say \\"hi\\""} /-->', '<!-- cms:box {"t":"say \\u0022hi\\u0022"} /-->'],
    ['<!-- cms:box {"t":} /-->x', '<!-- cms:box /-->x'],
    ['<!-- cms:box {"t":"<b>\\n"} /-->', '<!-- cms:box {"t":"\\u003cb\\u003e\\n"} /-->'],
    ['<!-- cms:a --><!-- cms:x/b -->c', '<!-- cms:a --><!-- cms:x/b -->c<!-- /cms:x/b --><!-- /cms:a -->'],
    ['<!-- cms:a --><!-- cms:b -->c<!-- /cms:a -->d', '<!-- cms:a --><!-- cms:b -->c<!-- /cms:b --><!-- /cms:a -->d'],
    ['<!-- /cms:a --><!-- cms:a -->', '<!-- /cms:a --><!-- cms:a --><!-- /cms:a -->'],
    ['<!-- cms:a {"b":"--!><img src=x onerror=y>"} -->', '<!-- cms:a {"b":"--><img src="x">"} --&gt;'],
  ],
}

export const titleCases: Groups = {
  'titles take little': [
    ['<em>a</em> <p>b</p> <a href="x" class="y" title="z">c</a>', '<em>a</em> b <a href="x" title="z">c</a>'],
    ['<b id="a" style="color:red" data-b="c">d</b>', '<b>d</b>'],
    ['<a href="javascript:x()">y</a> & <svg>', '<a href="x()">y</a> &amp; '],
    ['<!-- cms:a --> <!-- b -->', '<!-- cms:a --> <!-- b -->'],
    [' padded ', ' padded '],
  ],
}
