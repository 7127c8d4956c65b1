/** The style sheet of the page of changes has one column, system fonts, a light and a dark theme. */
export const historyStyle = `
:root{color-scheme:light dark;--back:light-dark(#f3f4f6,#111418);--card:light-dark(#fff,#1b2027);--text:light-dark(#1b1f24,#e8eaed);--soft:light-dark(#4b5563,#b4bcc6);--line:light-dark(#d8dde3,#333b46);--strong:light-dark(#6b7280,#8b95a1);--act:light-dark(#1d4ed8,#8ab4f8);--on-act:light-dark(#fff,#0b1220);--add:light-dark(#0f5c2e,#8be0ae);--add-back:light-dark(#dcf5e5,#143523);--cut:light-dark(#8f1d12,#ffb4ab);--cut-back:light-dark(#fde7e4,#431913);--move:light-dark(#6b3d00,#f2c078);--move-back:light-dark(#fdf0db,#3a2a10);--mark:light-dark(#e6edfd,#22304a)}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:64rem;margin:0 auto;padding:clamp(1rem,4vw,2.5rem) clamp(1rem,4vw,2rem) 4rem}
h1{margin:0 0 .25rem;font-size:clamp(1.35rem,4vw,1.8rem);line-height:1.2}
h2{margin:2.25rem 0 .75rem;font-size:1.125rem}
h3{margin:0;font-size:1rem;font-weight:600}
p{margin:0}
ul,ol,dl,dd{margin:0;padding:0;list-style:none}
a{color:var(--act)}
:focus-visible{outline:3px solid var(--act);outline-offset:2px;border-radius:.2rem}
.site,.when,.hint,small{color:var(--soft);font-size:.875rem}
.when{margin-top:.25rem}
time{white-space:nowrap}
.counts{display:flex;flex-wrap:wrap;gap:.5rem;margin:1rem 0 0}
.badge{display:inline-block;padding:.1rem .6rem;border-radius:1rem;font-size:.8125rem;font-weight:600;background:var(--mark);white-space:nowrap}
.badge[data-change=added]{background:var(--add-back);color:var(--add)}
.badge[data-change=removed]{background:var(--cut-back);color:var(--cut)}
.badge[data-change=moved]{background:var(--move-back);color:var(--move)}
.card{margin:0 0 .75rem;padding:1rem 1.1rem;background:var(--card);border:1px solid var(--line);border-radius:.6rem}
.card>header{display:flex;flex-wrap:wrap;align-items:center;gap:.4rem .75rem}
.card>header small{margin-inline-start:auto;font-family:ui-monospace,Menlo,monospace}
.member{margin-top:.9rem}
.card>.member:first-child{margin-top:0}
.member>p:first-child{font-weight:600;font-size:.9375rem}
.member>p:first-child::first-letter,.card h3::first-letter{text-transform:uppercase}
.text{margin-top:.35rem;white-space:pre-wrap;max-width:68ch}
ins,del{padding:.05rem .15rem;border-radius:.2rem;text-decoration-thickness:.1em;text-underline-offset:.2em;-webkit-box-decoration-break:clone;box-decoration-break:clone}
ins{background:var(--add-back);color:var(--add);text-decoration:underline}
del{background:var(--cut-back);color:var(--cut);text-decoration:line-through}
.pair{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:.5rem;margin-top:.4rem}
.pair>div{padding:.5rem .7rem;border:1px solid var(--line);border-radius:.4rem}
.pair dt{font-size:.8125rem;color:var(--soft)}
.pair dd{font-family:ui-monospace,Menlo,monospace;font-size:.8125rem;white-space:pre-wrap}
.swatch{inline-size:1.1em;block-size:1.1em;vertical-align:-.2em;margin-inline-end:.4em;border-radius:.2em;border:1px solid var(--strong)}
form{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:.75rem;align-items:end;margin:1.25rem 0 0;padding:1rem 1.1rem;background:var(--card);border:1px solid var(--line);border-radius:.6rem}
label{display:block;margin:0 0 .25rem;font-size:.875rem;font-weight:600}
input,select{width:100%;min-height:2.6rem;padding:.4rem .6rem;border:1px solid var(--strong);border-radius:.4rem;background:var(--back);color:inherit;font:inherit;font-size:.9375rem}
button{min-height:2.6rem;padding:.4rem 1.2rem;border:1px solid var(--act);border-radius:.4rem;background:var(--act);color:var(--on-act);font:inherit;font-weight:600;cursor:pointer}
.line{border-inline-start:2px solid var(--line);margin-inline-start:.45rem;padding-inline-start:1.1rem}
.line li{position:relative;padding:.45rem 0}
.line li::before{content:"";position:absolute;inset-inline-start:-1.55rem;top:1rem;inline-size:.7rem;block-size:.7rem;border-radius:50%;background:var(--card);border:2px solid var(--strong)}
.line [aria-current]::before,.line li[data-current]::before{background:var(--act);border-color:var(--act)}
.empty{padding:1.5rem;text-align:center;background:var(--card);border:1px dashed var(--strong);border-radius:.6rem}
.problem{padding:.8rem 1rem;border-inline-start:.3rem solid var(--cut);background:var(--cut-back)}
@media (max-width:34rem){.pair{grid-template-columns:minmax(0,1fr)}.card>header small{margin-inline-start:0;width:100%}}
@media print{body{background:none}form{display:none}.card{break-inside:avoid}}
`
