/** The style sheet of the docs page: system fonts, light or dark, one or two columns. */
export const docsStyle = `
:root{color-scheme:light dark;--back:#fff;--card:#f6f7f9;--text:#1b1f24;--soft:#4b5563;--line:#d3d8de;--strong-line:#6b7280;--act:#1d4ed8;--on-act:#fff;--bad:#b42318;--get:#1d4ed8;--post:#15703b;--put:#8a4b00;--delete:#b42318}
@media (prefers-color-scheme:dark){:root{--back:#14181d;--card:#1d232b;--text:#e8eaed;--soft:#b4bcc6;--line:#3a424d;--strong-line:#8b95a1;--act:#8ab4f8;--on-act:#0b1220;--bad:#ffb4ab;--get:#8ab4f8;--post:#7bd6a0;--put:#f2bf6b;--delete:#ffb4ab}}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--back);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
code,pre,textarea{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875rem}
a{color:var(--act)}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
main:focus{outline:none}
.skip{position:absolute;left:-100vw;padding:.5rem 1rem;background:var(--back)}
.skip:focus{left:0;z-index:1}
header{padding:1.25rem 1.5rem;border-bottom:1px solid var(--line)}
header p{margin:.25rem 0 0;display:flex;flex-wrap:wrap;gap:.25rem 1rem}
h1{margin:0;font-size:1.5rem;line-height:1.25}
h2{font-size:1.2rem;margin:0 0 .75rem}
h3,h4,h5{font-size:1rem;margin:0}
h4{margin:1.25rem 0 .5rem}
h5{font-size:.875rem}
p{margin:0 0 .75rem}
.columns{display:grid;grid-template-columns:16rem minmax(0,1fr);max-width:84rem}
.side{position:sticky;top:0;max-height:100vh;overflow:auto;padding:1.25rem 1.5rem;border-inline-end:1px solid var(--line)}
.side form,.side section{margin-bottom:1.25rem}
.side h2{font-size:1rem;margin-bottom:.5rem}
nav ul{list-style:none;margin:0;padding:0}
nav li{padding:.1rem 0}
nav a{display:inline-block;padding:.2rem 0}
small,.hint,.bounds,.words,.status{color:var(--soft)}
small,.hint{font-size:.8125rem}
main{padding:1.25rem 1.5rem 4rem}
section.group,section.aside{margin-bottom:2rem}
.route,.form{border:1px solid var(--line);border-radius:.5rem;margin-bottom:.5rem;background:var(--card)}
summary{cursor:pointer;padding:.6rem .9rem;border-radius:.5rem}
summary h3{display:inline;font-weight:600}
.route>summary .words{display:inline-block;margin-inline-start:.5rem}
.route[open]>summary,.form[open]>summary{border-bottom:1px solid var(--line);border-radius:.5rem .5rem 0 0}
.inside,.form>pre,.form>p{padding:.9rem;margin:0}
.method{display:inline-block;min-width:3.6rem;font:600 .8125rem/1.4 ui-monospace,monospace;color:var(--put)}
.method[data-method=GET]{color:var(--get)}
.method[data-method=POST]{color:var(--post)}
.method[data-method=DELETE]{color:var(--delete)}
.scroll{overflow:auto}
table{border-collapse:collapse;width:100%;min-width:34rem}
th,td{text-align:start;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line);font-weight:400}
thead th{font-weight:600;font-size:.875rem}
th,td{overflow-wrap:normal}td:nth-child(3){max-width:22rem}
.type{white-space:pre-wrap}
.required{font-size:.8125rem;font-weight:600;color:var(--bad)}
.bounds{display:block;font-size:.875rem}
pre{margin:.4rem 0 0;padding:.75rem;overflow:auto;max-height:28rem;background:var(--back);border:1px solid var(--line);border-radius:.4rem;overflow-wrap:normal}
pre i,.type i{color:var(--soft)}
.answers{display:grid;grid-template-columns:4rem minmax(0,1fr);gap:.4rem .5rem;margin:0 0 .75rem}
dt{font-weight:600}
dd{margin:0}
.try{margin-top:1rem;padding-top:.25rem;border-top:1px solid var(--line)}
.fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:.25rem 1rem}
.field{margin:0 0 .5rem}
.field .hint{margin-inline-start:.4rem}
label{font-weight:600;font-size:.875rem}
input,select,textarea{width:100%;margin-top:.2rem;padding:.45rem .6rem;border:1px solid var(--strong-line);border-radius:.4rem;background:var(--back);color:inherit;font:inherit;min-height:2.5rem}
textarea{resize:vertical}
.side input{margin-bottom:.5rem}
.side button{padding-inline:.7rem;margin:0 .3rem .3rem 0}
button{min-height:2.5rem;padding:.4rem 1rem;border:1px solid var(--strong-line);border-radius:.4rem;background:transparent;color:inherit;font:inherit;font-weight:600;cursor:pointer;margin-inline-end:.5rem}
button:disabled{opacity:.6;cursor:default}
.primary{border-color:var(--act);background:var(--act);color:var(--on-act)}
.more>summary{padding:.4rem 0}
.warning{color:var(--bad)}
.actions{margin:.75rem 0}
.result .status{font-weight:600;margin:0;min-height:1.5rem}
.status[data-kind=bad]{color:var(--bad)}
.status[data-kind=good]{color:var(--post)}
.block{position:relative;margin-top:.75rem}
.copy{position:absolute;inset-inline-end:0;top:-.75rem;min-height:2rem;padding:.1rem .6rem;font-size:.875rem}
@media (max-width:52rem){.columns{grid-template-columns:minmax(0,1fr)}.side{position:static;max-height:none;border-inline-end:0;border-bottom:1px solid var(--line)}nav{max-height:9rem;overflow:auto}nav ul{display:flex;flex-wrap:wrap;gap:0 1rem}header,.side,main{padding-inline:1rem}.answers{grid-template-columns:minmax(0,1fr)}table{min-width:0}table,tbody,tr,th,td{display:block}thead{display:none}tr{padding:.5rem 0;border-bottom:1px solid var(--line)}tbody th code{font-weight:600}th,td{padding:0;border:0}td:nth-child(3){max-width:none}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media print{.side,.try{display:none}.columns{display:block}}
`
