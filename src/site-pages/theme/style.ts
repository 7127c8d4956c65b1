/**
 * The style sheet of the theme, with one column of text, in light and dark. Its selectors have a low specificity, so that a
 * builder kit wins.
 */
const values = `
:root{--site-back:#fbfaf7;--site-card:#fff;--site-text:#1f2328;--site-soft:#57606a;--site-line:#d9d6cd;--site-link:#0b5c8a;--site-mark:#fff3c4;
--site-serif:Charter,"Bitstream Charter","Iowan Old Style","Source Serif 4","Noto Serif",Cambria,Georgia,serif;
--site-sans:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;--site-measure:40rem;--site-width:68rem;--site-gap:clamp(1rem,4vw,2rem)}
:root:not(.has-built){color-scheme:light dark}
:root.has-built{color-scheme:light}
@media (prefers-color-scheme:dark){:root:not(.has-built){--site-back:#14171a;--site-card:#1c2024;--site-text:#e6e4df;--site-soft:#a3aab2;--site-line:#363b41;--site-link:#7cc0ee;--site-mark:#4a4012}}
`

/** Styles elements without classes. */
const baseStyle = `
*,::before,::after{box-sizing:border-box}
:where(html){-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
:where(body){margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--site-back);color:var(--site-text);
font-family:var(--site-serif);font-size:clamp(1.06rem,1rem + .25vw,1.19rem);line-height:1.6}
:where(body>main){flex:1 0 auto;width:100%}
:where(img,svg,video){max-width:100%;height:auto}
:where(a){color:var(--site-link);text-underline-offset:.15em;text-decoration-thickness:from-font}
:where(a:hover){text-decoration-thickness:2px}
:where(:focus-visible){outline:3px solid var(--site-link);outline-offset:3px;border-radius:2px}
`

/** Styles the parts that the theme draws. */
const partStyle = `
.site-skip{position:absolute;inset-inline-start:-100vw;top:0;padding:.6rem 1rem;background:var(--site-card);color:var(--site-text);z-index:1000}
.site-skip:focus{inset-inline-start:0}
.site-bar{border-block-end:1px solid var(--site-line);font-family:var(--site-sans)}
.site-bar>div,.site-end>div{max-width:var(--site-width);margin:0 auto;padding:1.25rem var(--site-gap);display:flex;flex-wrap:wrap;gap:.5rem 2rem;align-items:baseline;justify-content:space-between}
.site-name{font-size:1.2rem;font-weight:700;letter-spacing:-.01em}
.site-name a{color:inherit;text-decoration:none}
.site-tagline{margin:0;color:var(--site-soft);font-size:.9rem;flex-basis:100%}
.site-menu ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0;padding:0;list-style:none;font-size:.95rem}
.site-menu a{display:inline-block;padding:.35rem 0;color:inherit;text-decoration:none}
.site-menu li{position:relative}
.site-menu ul ul{display:none;position:absolute;inset-inline-start:0;top:100%;z-index:10;min-width:12rem;padding:.4rem .9rem;flex-direction:column;gap:0;background:var(--site-card);border:1px solid var(--site-line);border-radius:.3rem}
.site-menu li:hover>ul,.site-menu li:focus-within>ul{display:flex}
.site-menu a:hover,.site-menu a[aria-current]{text-decoration:underline}
.site-end{border-block-start:1px solid var(--site-line);color:var(--site-soft);font:.9rem/1.5 var(--site-sans)}
.site-end a{color:inherit}.site-end p{margin:0}
.site-column{max-width:calc(var(--site-measure) + 2*var(--site-gap));margin:0 auto;padding:clamp(1.75rem,6vw,3.5rem) var(--site-gap)}
.site-note{max-width:var(--site-measure);margin:1rem auto;padding:.75rem 1rem;border-inline-start:4px solid var(--site-link);background:var(--site-mark);color:var(--site-text);font-family:var(--site-sans);font-size:.95rem}
.site-note ul{margin:.25rem 0 0}
.site-column h1{margin:0 0 .6rem;font-size:clamp(1.9rem,1.4rem + 2.4vw,2.9rem);line-height:1.12;letter-spacing:-.02em;text-wrap:balance;overflow-wrap:anywhere}
.site-lead{margin:0 0 2rem;color:var(--site-soft);font-size:1.1rem}
.site-meta{margin:0 0 1.75rem;color:var(--site-soft);font:.92rem/1.5 var(--site-sans)}
.site-meta a{color:inherit}
.site-figure{margin:0 0 2rem}.site-figure img{display:block;width:100%;border-radius:.25rem;background:var(--site-line)}
.site-figure figcaption{margin-top:.5rem;color:var(--site-soft);font:.88rem/1.4 var(--site-sans)}
.site-text{overflow-wrap:break-word}
.site-text>:first-child{margin-block-start:0}
:where(.site-text) :where(h2,h3,h4){line-height:1.25;letter-spacing:-.01em;margin:2em 0 .5em;text-wrap:balance}
:where(.site-text) :where(p,ul,ol,dl,blockquote,figure,table,pre){margin:0 0 1.25em}
:where(.site-text) :where(li){margin-block-end:.3em}
:where(.site-text) :where(blockquote){margin-inline:0;padding-inline-start:1.25rem;border-inline-start:3px solid var(--site-link);font-style:italic}
:where(.site-text) :where(blockquote p){margin-block-end:.4em}
:where(.site-text) :where(cite){color:var(--site-soft);font:.9rem var(--site-sans)}
:where(.site-text) :where(pre,table){display:block;overflow-x:auto;max-width:100%}
:where(.site-text) :where(table){border-collapse:collapse;font-variant-numeric:tabular-nums}
:where(.site-text) :where(td,th){padding:.5rem 1.25rem .5rem 0;border-block-end:1px solid var(--site-line);text-align:start}
:where(.site-text) :where(code){font-size:.9em}
:where(.site-text) :where(figure){margin-inline:0}
:where(.site-text) :where(iframe){max-width:100%}
.site-tags{display:flex;flex-wrap:wrap;gap:.4rem .75rem;margin:2.5rem 0 0;padding:1rem 0 0;border-block-start:1px solid var(--site-line);list-style:none;font:.9rem var(--site-sans)}
.site-list{margin:2rem 0 0;padding:0;list-style:none}
.site-list>li{padding:1.75rem 0;border-block-start:1px solid var(--site-line)}
.site-list h2{margin:0 0 .3rem;font-size:1.45rem;line-height:1.2;letter-spacing:-.01em;overflow-wrap:anywhere}
.site-list h2 a{color:inherit;text-decoration:none}.site-list h2 a:hover{text-decoration:underline}
.site-list .site-meta{margin-block-end:.5rem}
.site-list .site-text p{margin:0}
.site-list li>article{display:flow-root}
.site-thumb{float:inline-end;width:min(30%,11rem);margin:.35rem 0 .5rem 1.25rem}
.site-thumb img{display:block;width:100%;aspect-ratio:3/2;object-fit:cover;border-radius:.25rem;background:var(--site-line)}
.site-pages{display:flex;flex-wrap:wrap;gap:.5rem;margin:1.5rem 0 0;padding:0;list-style:none;font:.95rem var(--site-sans)}
.site-pages :is(a,span){display:inline-block;min-width:2.5rem;padding:.5rem .8rem;border:1px solid var(--site-line);border-radius:.3rem;text-align:center;text-decoration:none}
.site-pages [aria-current]{background:var(--site-text);border-color:var(--site-text);color:var(--site-back)}
.site-form{display:flex;flex-wrap:wrap;gap:.6rem;align-items:end;margin:1.5rem 0;font-family:var(--site-sans)}
.site-form label{display:block;flex-basis:100%;font-weight:600}
.site-form input{flex:1 1 14rem;min-width:0;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--site-soft);border-radius:.3rem;background:var(--site-card);color:inherit;font:inherit}
.site-form textarea{flex:1 1 100%;min-width:0;padding:.5rem .75rem;border:1px solid var(--site-soft);border-radius:.3rem;background:var(--site-card);color:inherit;font:inherit}
.site-comments{padding-block-start:0}.site-comments h2{margin:0 0 1rem;font-size:1.3rem;line-height:1.2}
.site-comments h2:not(:first-child){margin-block-start:2rem}.site-comments ol{margin:0;padding:0;list-style:none}.site-comments ol ol{padding-inline-start:clamp(.75rem,4vw,2rem);border-inline-start:2px solid var(--site-line)}
.site-comments li{padding-block:.75rem}.site-comments .site-meta{margin-block-end:.4rem}.site-comments .site-text{font-size:1rem}
.site-comments .site-text p{margin:0 0 .6em}.site-reply{margin:0;font:.9rem var(--site-sans)}.site-comments .site-form label{margin-block-end:-.4rem}
.site-comments .site-form input{flex-basis:100%}
.site-form button{min-height:2.75rem;padding:.5rem 1.2rem;border:1px solid var(--site-link);border-radius:.3rem;background:var(--site-link);color:var(--site-back);font:600 1rem var(--site-sans);cursor:pointer}
@media print{.site-bar,.site-end,.site-form,.site-pages{display:none}}
`

/**
 * Gives a page with documents one family, one scale of headings and one edge, for the theme and for elements of both generations. The
 * fonts are those of the kit, unless the site switches them off. Children keep what they inherit, so that a style of a box reaches its texts.
 */
const documentStyle = `
:root.has-kit-fonts{--site-serif:var(--e-global-typography-text-font-family,Roboto),sans-serif;--site-sans:var(--site-serif)}
:root.has-document{--site-width:calc(1140px + 2*var(--site-gap))}
.has-document .entry-header{max-width:var(--site-width);padding-block-end:0}
:where(.has-document) :where(h1,h2,h3,h4,h5,h6){line-height:1.2;text-wrap:balance}
:where(.has-kit-fonts) :where(h1,h2,h3,h4,h5,h6){font-weight:var(--e-global-typography-primary-font-weight,700)}
:where(.has-document .builder) :where(h1){font-size:clamp(1.9rem,1.4rem + 2.4vw,2.9rem)}
:where(.has-document .builder) :where(h2){font-size:clamp(1.5rem,1.3rem + .9vw,2rem)}
:where(.has-document .builder) :where(h3){font-size:clamp(1.25rem,1.15rem + .5vw,1.5rem)}
:where(.has-document .builder) :where(h4){font-size:1.2rem}:where(.has-document .builder) :where(h5){font-size:1.1rem}:where(.has-document .builder) :where(h6){font-size:1rem}
.has-document .builder-heading-title{line-height:1.2}
:where(.has-document .builder-widget-text-editor)>:where(:first-child){margin-block-start:0}
:where(.has-document .builder-widget-text-editor)>:where(:last-child){margin-block-end:0}
:where(.has-document) :where(.e-button-base){color:#fff;font-size:15px;font-weight:var(--e-global-typography-accent-font-weight,500);line-height:1;text-decoration:none}
:where(.e-con,.e-con-inner)>:where(.e-button-base){align-self:flex-start}
:where(main>.builder>.e-con){--container-default-padding-left:var(--site-gap);--container-default-padding-right:var(--site-gap)}
:where(main>.builder>.e-con:last-child){--container-default-padding-bottom:clamp(1.75rem,6vw,3.5rem)}
:where(.e-con .e-con){--container-default-padding-left:initial;--container-default-padding-right:initial;--container-default-padding-bottom:initial}
:where(main>.builder>.builder-section){padding-inline:calc(var(--site-gap) - 10px)}
`

/**
 * Styles the page that other sites embed in a frame. Embed data names the height of the frame before anything is drawn, so the page
 * fills exactly this height: the picture takes what the texts leave, and the excerpt ends with a whole line.
 */
const embedStyle = `
.site-embed{display:flex;flex-direction:column;gap:.5rem;max-width:37.5rem;height:100vh;padding:1rem 1.2rem;border:1px solid var(--site-line);border-radius:.4rem;background:var(--site-card);font-size:.95rem;line-height:1.45;overflow:hidden}
.site-embed>*{flex:none;margin:0}
.site-embed h1{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;font-size:1.2rem;line-height:1.25;overflow:hidden}.site-embed h1 a{color:inherit;text-decoration:none}
.site-embed>img{flex:1 1 0;min-height:0;width:100%;object-fit:cover;border-radius:.25rem}
.site-embed-text{max-height:max(0px,round(down,100vh - 8rem,1lh));overflow:hidden}.site-embed-text p{margin:0}
.site-embed>img~.site-embed-text{max-height:2lh}
.site-embed .site-meta{margin-block-start:auto;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
@media (max-height:15rem){.site-embed>img{display:none}.site-embed>img~.site-embed-text{max-height:max(0px,round(down,100vh - 8rem,1lh))}}
@media (max-height:8rem){.site-embed{padding:.5rem .8rem;gap:.2rem}.site-embed h1{-webkit-line-clamp:1}.site-embed-text{display:none}}
:where(body.is-embed){min-height:0;background:transparent}
`

const joined = (...texts: readonly string[]): string => texts.join('').replaceAll('\n', '').trim()

/** The sheets of the theme by file name: whole, and without one of the parts that its settings switch off. */
export const themeSheets = {
  theme: joined(values, baseStyle, partStyle, documentStyle, embedStyle),
  'theme-parts': joined(values, partStyle, embedStyle),
  'theme-base': joined(values, baseStyle, documentStyle),
} as const
