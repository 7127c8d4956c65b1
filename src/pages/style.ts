/** The style sheet of the consent page has one column, system fonts, a light and a dark theme, and a visible focus. */
export const pageStyle = `
:root{color-scheme:light dark;--back:#f3f4f6;--card:#fff;--text:#1b1f24;--soft:#4b5563;--line:#6b7280;--act:#1d4ed8;--on-act:#fff;--bad:#b42318;--bad-back:#fef3f2}
@media (prefers-color-scheme:dark){:root{--back:#111418;--card:#1b2027;--text:#e8eaed;--soft:#b4bcc6;--line:#8b95a1;--act:#8ab4f8;--on-act:#0b1220;--bad:#ffb4ab;--bad-back:#3b1512}}
*{box-sizing:border-box}
body{margin:0;padding:clamp(1rem,6vh,4rem) 1rem;background:var(--back);color:var(--text);font:1rem/1.55 system-ui,sans-serif}
main{max-width:30rem;margin:0 auto;padding:clamp(1.25rem,5vw,2.25rem);background:var(--card);border:1px solid color-mix(in srgb,var(--line) 40%,transparent);border-radius:.75rem;overflow-wrap:anywhere}
h1{margin:0 0 1rem;font-size:1.45rem;line-height:1.25}
h2{margin:0;font-size:1rem}
p{margin:0 0 1rem}
.details{margin:.4rem 0 1.25rem;padding-inline-start:1.2rem}
.details li{margin-bottom:.4rem}
.copy{margin:-.6rem 0 1.1rem}
.offscreen{position:fixed;left:-100vw}
.site{margin-bottom:.5rem;color:var(--soft);font-size:.9rem}
.problem{margin:0 0 1.25rem;padding:.75rem 1rem;border-inline-start:.3rem solid var(--bad);background:var(--bad-back)}
.problem p,.problem ul{margin:.25rem 0 0}
label{display:block;margin:0 0 .3rem;font-weight:600}
input{display:block;width:100%;margin:0 0 1.1rem;padding:.6rem .7rem;border:1px solid var(--line);border-radius:.4rem;background:var(--card);color:inherit;font:inherit}
input[readonly]{font-family:ui-monospace,monospace}
input[aria-invalid=true]{border-color:var(--bad);border-width:2px}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center;margin:1.5rem 0 0}
button,.button{display:inline-block;min-height:2.75rem;padding:.6rem 1.2rem;border:1px solid var(--line);border-radius:.4rem;background:transparent;color:inherit;font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
.primary{border-color:var(--act);background:var(--act);color:var(--on-act)}
a:not(.button){color:var(--act)}
:focus-visible{outline:3px solid var(--act);outline-offset:3px}
`
