/** The style sheet of the docs page: system fonts, light or dark, one to three columns. */
export const docsStyle = `
:root{color-scheme:light dark;--back:light-dark(#fff,#12161b);--card:light-dark(#f6f7f9,#1a2027);--field:light-dark(#fff,#12161b);--text:light-dark(#1b1f24,#e8eaed);--soft:light-dark(#4b5563,#b4bcc6);--line:light-dark(#d8dde3,#333b46);--strong-line:light-dark(#6b7280,#8b95a1);--act:light-dark(#1d4ed8,#8ab4f8);--on-act:light-dark(#fff,#0b1220);--mark:light-dark(#e6edfd,#22304a);--bad:light-dark(#b42318,#ffb4ab);--get:light-dark(#1d4ed8,#8ab4f8);--post:light-dark(#15703b,#7bd6a0);--put:light-dark(#8a4b00,#f2bf6b);--text-value:light-dark(#15703b,#7bd6a0);--other-value:light-dark(#8a4b00,#f2bf6b)}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{scroll-padding-top:4.5rem}
body{margin:0;background:var(--back);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
code,pre,textarea,kbd,.json{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.8125rem}
a{color:var(--act)}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
main:focus,h2:focus{outline:none}
.skip{position:absolute;left:-100vw;padding:.5rem 1rem;background:var(--back);z-index:3}
.skip:focus{left:0;top:0}
.offscreen{position:fixed;left:-100vw}
header{position:sticky;top:0;z-index:2;display:flex;align-items:center;gap:.5rem 1rem;min-height:3.5rem;padding:.5rem 1.5rem;background:var(--back);border-bottom:1px solid var(--line)}
header p{margin:0;white-space:nowrap}
h1{margin:0;font-size:1.125rem;line-height:1.25;flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
header button{flex:none}
h2{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem}
h3{font-size:1.0625rem;margin:2rem 0 .5rem}
.bar h3{font-size:.875rem;margin:0}
p{margin:0 0 .75rem}
ul,ol{margin:0;padding:0}
button{min-height:2.25rem;padding:.25rem .8rem;border:1px solid var(--strong-line);border-radius:.4rem;background:transparent;color:inherit;font:inherit;font-size:.875rem;font-weight:600;cursor:pointer}
button:disabled{opacity:.6;cursor:default}
button[aria-pressed=true]{background:var(--mark)}
.primary{border-color:var(--act);background:var(--act);color:var(--on-act);padding-inline:1.4rem}
.link{min-height:0;padding:0;border:0;border-radius:0;color:var(--act);text-decoration:underline;font-weight:400}
.copy{min-height:1.75rem;padding:0 .6rem;font-size:.8125rem}
.columns{display:grid;grid-template-columns:18rem minmax(0,1fr)}
.side{position:sticky;top:3.5rem;height:calc(100vh - 3.5rem);overflow:auto;padding:1rem;border-inline-end:1px solid var(--line);background:var(--back)}
.side h2{margin:1.25rem .5rem .25rem;font-size:.8125rem;color:var(--soft)}
.side ul,.side ol{list-style:none}
.side small{color:var(--soft);font-size:.8125rem}
.side summary,.side li a{display:flex;align-items:baseline;gap:.5rem;padding:.3rem .5rem;border-radius:.4rem;color:inherit;text-decoration:none;font-size:.875rem}
.side summary{cursor:pointer;font-weight:600;justify-content:space-between}
.side details{margin:0}
.side :is(summary,li a):hover{background:var(--card)}
.side [aria-current]{background:var(--mark)!important;font-weight:600}
#results a{display:grid;grid-template-columns:2.9rem minmax(0,1fr);gap:0 .5rem;padding-block:.5rem}
#results :is(code,small){grid-column:2;color:var(--soft);font-weight:400}
#search [role=status]{margin:.25rem .5rem;min-height:1.3rem;color:var(--soft);font-size:.875rem}
kbd{padding:0 .35rem;border:1px solid var(--line);border-radius:.25rem}
.method{flex:none;display:inline-block;font:600 .6875rem/1.5 ui-monospace,monospace;min-width:2.9rem;color:var(--put)}
.method[data-method=GET]{color:var(--get)}
.method[data-method=POST]{color:var(--post)}
.method[data-method=DELETE]{color:var(--bad)}
main{padding:1.5rem 2rem 4rem;max-width:82rem}
.view{margin-bottom:3rem}
@media (scripting:enabled){.view:not([data-current]),#unscripted{display:none}}
.crumb{margin:0;color:var(--soft);font-size:.875rem}
.line{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem;padding:.4rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card)}
.line code{flex:1 1 12rem;font-size:.9375rem}
.base{color:var(--soft)}
.line .method{font-size:.875rem;min-width:0}
.who,.conventions{color:var(--soft)}
.conventions{padding-inline-start:1.1rem}
.conventions li{margin-bottom:.5rem}
#unknown{padding:.6rem .9rem;border-inline-start:.3rem solid var(--bad);background:var(--card)}
.bench{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1.15fr);gap:1.5rem;align-items:start;margin:1rem 0 0}
.try,.pane{border:1px solid var(--line);border-radius:.5rem;background:var(--card)}
.try{padding:1rem}
.panes{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem;position:sticky;top:4.5rem}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:.35rem .75rem;min-height:2.75rem;padding:.4rem .75rem;border-bottom:1px solid var(--line)}
.bar>:last-child{margin-inline-start:auto}
.choices{display:flex}
.choices button{min-height:1.75rem;padding:0 .6rem;font-size:.8125rem;border-radius:0;margin-inline-start:-1px}
.choices button:first-child{border-radius:.4rem 0 0 .4rem}
.choices button:last-child{border-radius:0 .4rem .4rem 0}
pre,.code{margin:0;padding:.75rem;overflow:auto;max-height:26rem;overflow-wrap:normal}
dd pre,.schema pre{border:1px solid var(--line);border-radius:.4rem;background:var(--card);margin-top:.4rem}
.pane .code{max-height:min(26rem,50vh)}
.pane pre{white-space:pre-wrap;overflow-wrap:anywhere}
.json{overflow-wrap:anywhere;line-height:1.6}
.json details>:not(summary,:last-child){margin-inline-start:1.1rem}
.json summary{cursor:pointer;padding:0}
.json details:not([open])>summary::after{content:attr(data-size);color:var(--soft)}
.json .key{color:var(--act)}
.is-string{color:var(--text-value)}
.is-number,.is-boolean,.is-object{color:var(--other-value)}
.tools{display:flex;flex-wrap:wrap;gap:.4rem;margin:0;padding:.5rem .75rem 0}
.note{margin:0;padding:.6rem .75rem 0;color:var(--soft);font-size:.875rem}
.note:last-child{padding-bottom:.75rem}
.status{margin:0;font-weight:600;font-size:.875rem}
.status span{color:var(--soft);font-weight:400}
.status[data-kind=bad],.problem{color:var(--bad)}
.status[data-kind=good]{color:var(--post)}
.headers{display:grid;grid-template-columns:minmax(0,10rem) minmax(0,1fr);gap:.15rem .75rem;margin:0 0 .5rem;font-size:.8125rem}
.pane .more{padding:0 .75rem;border-top:1px solid var(--line)}
.more>summary,.example>summary{padding:.5rem 0;cursor:pointer;font-size:.875rem;font-weight:600}
.field{margin:0 0 .9rem}
label{font-weight:600;font-size:.875rem}
.hint,.description,.bounds{color:var(--soft);font-size:.8125rem}
.description{display:block;margin-top:.2rem}
input,select,textarea{width:100%;margin-top:.2rem;padding:.4rem .6rem;border:1px solid var(--strong-line);border-radius:.4rem;background:var(--field);color:inherit;font:inherit;font-size:.9375rem;min-height:2.25rem}
textarea{font-family:ui-monospace,monospace;font-size:.8125rem;resize:vertical}
::placeholder{color:var(--soft);opacity:1}
.actions{display:flex;flex-wrap:wrap;gap:.5rem;margin:1rem 0 .5rem}
.who-sends{margin:0;color:var(--soft);font-size:.875rem}
table{border-collapse:collapse;width:100%;font-size:.875rem}
th,td{text-align:start;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line);font-weight:400}
thead th{font-weight:600}
td:nth-child(3){max-width:20rem}
.type{white-space:pre-wrap}
.required{font-size:.8125rem;color:var(--bad)}
.bounds{display:block}
.schema{border-bottom:1px solid var(--line)}
.schema>summary{padding:.5rem 0;cursor:pointer}
.schema h3{display:inline;margin:0;font-size:.9375rem}
pre i,.type i{color:var(--soft)}
.answers{display:grid;grid-template-columns:4rem minmax(0,1fr);gap:.6rem .5rem;margin:0 0 .75rem;font-size:.9375rem}
dt{font-weight:600}
dd{margin:0}
dialog{width:min(30rem,calc(100vw - 2rem));padding:1.5rem;border:1px solid var(--line);border-radius:.75rem;background:var(--back);color:var(--text)}
dialog::backdrop{background:rgb(0 0 0/.5)}
dialog input{margin-bottom:.75rem}
#menu{display:none}
@media (max-width:72rem){.bench{grid-template-columns:minmax(0,1fr)}.panes{position:static}}
@media (max-width:56rem){
@media (scripting:enabled){#menu{display:block}.side{position:fixed;inset:3.5rem 0 0;height:auto;z-index:1;display:none}.side[data-open]{display:block}}
@media (scripting:none){.side{position:static;height:auto}}
.columns{grid-template-columns:minmax(0,1fr)}
header{padding-inline:1rem;gap:.5rem}header p{display:none}header button{padding-inline:.6rem}h1{font-size:1rem}main{padding:1rem 1rem 3rem}
.answers{grid-template-columns:minmax(0,1fr)}
table,tbody,tr,th,td{display:block}thead{display:none}tr{padding:.6rem 0;border-bottom:1px solid var(--line)}tbody th code{font-weight:600}th,td{padding:0;border:0}td:nth-child(3){max-width:none}
}
@media print{.side,.bench,header button{display:none}.columns{display:block}}
`
