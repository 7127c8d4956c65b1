/**
 * The style sheet of core blocks, which pages with blocks load. `:where` keeps its specificity low, so that the sheet of a host wins.
 * Layout classes such as `is-layout-flex` come from the renderer of blocks.
 */

/** Values of the preset colours, by the names that stored blocks use. */
const colors: readonly (readonly [name: string, value: string])[] = [
  ['black', '#000'],
  ['white', '#fff'],
  ['cyan-bluish-gray', '#a9b7c4'],
  ['pale-pink', '#f4a3bd'],
  ['vivid-red', '#c9302c'],
  ['luminous-vivid-orange', '#f2690d'],
  ['luminous-vivid-amber', '#f6b60d'],
  ['light-green-cyan', '#83d6b0'],
  ['vivid-green-cyan', '#12c28a'],
  ['pale-cyan-blue', '#92cff7'],
  ['vivid-cyan-blue', '#1089d6'],
  ['vivid-purple', '#9450dd'],
]

const fontSizes: readonly (readonly [name: string, value: string])[] = [
  ['small', '.87rem'],
  ['medium', '1.25rem'],
  ['large', 'clamp(1.5rem,1.2rem + 1.5vw,2.25rem)'],
  ['x-large', 'clamp(1.9rem,1.4rem + 2.5vw,2.65rem)'],
  ['xx-large', 'clamp(2.2rem,1.5rem + 3.5vw,3.5rem)'],
]

const spacings: readonly (readonly [name: string, value: string])[] = [
  ['20', '.44rem'],
  ['30', '.67rem'],
  ['40', '1rem'],
  ['50', '1.5rem'],
  ['60', '2.25rem'],
  ['70', '3.38rem'],
  ['80', '5.06rem'],
]

/** Stored styles name the variables of presets by either word. */
const variables = ['cms', 'wp'].flatMap((word) => [
  ...colors.map(([name, value]) => `--${word}--preset--color--${name}:${value}`),
  ...fontSizes.map(([name, value]) => `--${word}--preset--font-size--${name}:${value}`),
  ...spacings.map(([name, value]) => `--${word}--preset--spacing--${name}:${value}`),
])

const presets = [
  ...colors.flatMap(([name, value]) => [
    `.has-${name}-color{color:${value}}`,
    `.has-${name}-background-color{background-color:${value}}`,
    `.has-${name}-border-color{border-color:${value}}`,
  ]),
  ...fontSizes.map(([name, value]) => `.has-${name}-font-size{font-size:${value}}`),
]

export const blockStyle = `
:root{${variables.join(';')}}
:where(main){overflow-x:clip}
:where(.is-layout-flex){display:flex;flex-wrap:wrap;align-items:center;gap:1em}
:where(.is-layout-flex)>:where(*){margin:0}
:where(.is-layout-flex.is-nowrap){flex-wrap:nowrap}
:where(.is-layout-flex.is-vertical){flex-direction:column;align-items:flex-start}
:where(.is-layout-grid){display:grid;gap:1em;grid-template-columns:repeat(auto-fill,minmax(min(12rem,100%),1fr))}
:where(.is-layout-grid)>:where(*){margin:0}
:where(.is-content-justification-center){justify-content:center}
:where(.is-content-justification-right){justify-content:flex-end}
:where(.is-content-justification-space-between){justify-content:space-between}
:where(.is-vertical.is-content-justification-center){align-items:center}
:where(.is-vertical.is-content-justification-right){align-items:flex-end}
:where(.cms-block-group.has-background){padding:1.25em 2em}
:where(.cms-block-columns){display:flex;flex-wrap:wrap;align-items:normal;gap:2em;margin-block-end:1.75em}
:where(.cms-block-columns)>:where(.cms-block-column){flex:1 1 0;min-width:0}
:where(.cms-block-column[style*=flex-basis]){flex-grow:0}
:where(.cms-block-columns.are-vertically-aligned-center){align-items:center}
:where(.cms-block-columns.are-vertically-aligned-bottom){align-items:flex-end}
:where(.cms-block-column.is-vertically-aligned-center){align-self:center}
:where(.cms-block-column.is-vertically-aligned-bottom){align-self:flex-end}
:where(.cms-block-columns.has-background){padding:1.25em 2em}
@media(min-width:782px){:where(.cms-block-columns){flex-wrap:nowrap}}
@media(max-width:781px){.cms-block-columns:not(.is-not-stacked-on-mobile)>.cms-block-column{flex-basis:100%!important}.cms-block-columns.is-not-stacked-on-mobile{flex-wrap:nowrap}}
:where(.cms-block-cover){position:relative;display:flex;align-items:center;justify-content:center;min-height:27rem;padding:1em;overflow:clip;margin-block-end:1.75em;color:#fff}
:where(.cms-block-cover.is-light){color:#000}
:where(.cms-block-cover__image-background,.cms-block-cover__video-background){position:absolute;inset:0;width:100%;height:100%;max-width:none;object-fit:cover}
:where(.cms-block-cover__background){position:absolute;inset:0;z-index:1;background:#000;opacity:.5}
:where(.cms-block-cover)>:where(.cms-block-cover__inner-container){position:relative;z-index:2;width:100%;color:inherit}
${Array.from({ length: 11 }, (_, at) => `:where(.cms-block-cover__background.has-background-dim-${at * 10}){opacity:${at / 10}}`).join('\n')}
:where(.cms-block-cover.is-position-top-left,.cms-block-cover.is-position-top-center,.cms-block-cover.is-position-top-right){align-items:flex-start}
:where(.cms-block-cover.is-position-bottom-left,.cms-block-cover.is-position-bottom-center,.cms-block-cover.is-position-bottom-right){align-items:flex-end}
:where(.cms-block-gallery.has-nested-images){display:flex;flex-wrap:wrap;gap:1em;margin-block-end:1.75em}
:where(.cms-block-gallery.has-nested-images)>:where(figure.cms-block-image){position:relative;display:flex;flex-direction:column;flex:1 1 calc((100% - 2em)/3 - .01px);min-width:0;margin:0;max-width:100%}
:where(.cms-block-gallery)>:where(figcaption){flex-basis:100%;text-align:center}
@media(max-width:599px){:where(.cms-block-gallery.has-nested-images)>:where(figure.cms-block-image){flex-basis:calc(50% - .5em - .01px)}}
${Array.from({ length: 8 }, (_, at) => `@media(min-width:600px){.cms-block-gallery.has-nested-images.columns-${at + 1}>figure.cms-block-image{flex-basis:calc((100% - ${at}em)/${at + 1} - .01px)}}`).join('\n')}
:where(.cms-block-gallery.is-cropped)>:where(figure.cms-block-image){flex-grow:1;align-self:stretch}
:where(.cms-block-gallery.is-cropped) :where(img){flex:1 0 auto;width:100%;height:100%;object-fit:cover}
:where(.cms-block-image){margin:0 0 1.25em}
:where(.cms-block-image.aligncenter,.cms-block-image.is-centered){text-align:center}
:where(.cms-block-image.is-style-rounded) :where(img){border-radius:999em}
:where([class*=-element-caption],.cms-block-image figcaption,.cms-block-embed figcaption,.cms-block-table figcaption){margin-block-start:.5em;color:var(--site-soft,#57606a);font-size:.85em;text-align:center}
:where(.cms-block-buttons){display:flex;flex-wrap:wrap;gap:.6em;margin-block-end:1.25em}
:where(.cms-block-button){margin:0}
:where(.cms-block-button__link){display:inline-block;padding:.7em 1.4em;border-radius:2em;background:var(--site-link,#0b5c8a);color:var(--site-back,#fff);text-align:center;text-decoration:none;box-sizing:border-box}
:where(.cms-block-button.is-style-outline) :where(.cms-block-button__link){background:none;color:inherit;border:2px solid currentcolor;padding:calc(.7em - 2px) calc(1.4em - 2px)}
:where(.cms-block-button.is-style-squared) :where(.cms-block-button__link){border-radius:0}
${[25, 50, 75, 100].map((width) => `:where(.cms-block-button.cms-block-button__width-${width}){flex-basis:calc(${width}% - ${width === 100 ? 0 : 0.3}em)}:where(.cms-block-button__width-${width}) :where(.cms-block-button__link){width:100%}`).join('\n')}
:where(.cms-block-media-text){display:grid;grid-template-columns:50% 1fr;align-items:center;margin-block-end:1.75em}
:where(.cms-block-media-text.has-media-on-the-right){grid-template-columns:1fr 50%}
:where(.cms-block-media-text.has-media-on-the-right)>:where(.cms-block-media-text__media){grid-column:2;grid-row:1}
:where(.cms-block-media-text__media){margin:0}
:where(.cms-block-media-text__media) :where(img,video){display:block;width:100%}
:where(.cms-block-media-text.is-image-fill-element) :where(img){height:100%;object-fit:cover}
:where(.cms-block-media-text__content){padding:0 8%;min-width:0}
@media(max-width:600px){.cms-block-media-text.is-stacked-on-mobile{grid-template-columns:100%!important}.cms-block-media-text.is-stacked-on-mobile>*{grid-column:1!important;grid-row:auto!important}:where(.cms-block-media-text__content){padding:1em 0}}
:where(.cms-block-pullquote){margin:2em 0;padding:1.5em 0;border-block:4px solid currentcolor;text-align:center}
:where(.cms-block-pullquote blockquote){margin:0;padding:0;border:0;font-size:1.35em}
:where(.cms-block-quote.is-style-plain){border:0;padding:0}
:where(.cms-block-quote.has-text-align-right){border-inline-start:0;border-inline-end:3px solid var(--site-link,#0b5c8a);padding:0 1.25rem 0 0}
:where(.cms-block-table){margin:0 0 1.25em;overflow-x:auto}
:where(.cms-block-table table){display:table;width:100%;border-collapse:collapse}
:where(.cms-block-table.is-style-stripes tbody tr:nth-child(odd)){background:color-mix(in srgb,currentcolor 7%,transparent)}
:where(.cms-block-table td,.cms-block-table th){padding:.5em .75em}
:where(.has-fixed-layout){table-layout:fixed}
:where(.cms-block-separator){width:6.25rem;margin:2em auto;border:0;border-block-start:2px solid currentcolor}
:where(.cms-block-separator.is-style-wide,.cms-block-separator.alignwide,.cms-block-separator.alignfull){width:auto}
:where(.cms-block-separator.is-style-dots){width:auto;border:0;text-align:center}
:where(.cms-block-separator.is-style-dots)::before{content:"\\00b7 \\00b7 \\00b7";letter-spacing:1em;padding-inline-start:1em;font-size:1.5em}
:where(.cms-block-details){margin-block-end:1.25em}
:where(.cms-block-details summary){cursor:pointer;font-weight:600}
:where(.cms-block-file){display:flex;flex-wrap:wrap;gap:.75em;align-items:center;margin-block-end:1.25em}
:where(.cms-block-file__button){padding:.4em 1em;border-radius:2em;background:var(--site-link,#0b5c8a);color:var(--site-back,#fff);text-decoration:none;font-size:.85em}
:where(.cms-block-code,.cms-block-preformatted,.cms-block-verse){overflow-x:auto;white-space:pre-wrap}
:where(.cms-block-code){padding:.8em 1em;border:1px solid var(--site-line,#d9d6cd);border-radius:.25rem}
:where(.cms-block-embed__wrapper){position:relative}
:where(.cms-block-embed,.cms-block-video,.cms-block-audio){margin:0 0 1.25em}
:where(.cms-block-video video,.cms-block-audio audio){width:100%}
${(
  [
    ['21-9', '21/9'],
    ['18-9', '2'],
    ['16-9', '16/9'],
    ['4-3', '4/3'],
    ['1-1', '1'],
    ['9-16', '9/16'],
  ] as const
)
  .map(([name, ratio]) => `[class*=-embed-aspect-${name}] iframe{width:100%;height:auto;aspect-ratio:${ratio}}`)
  .join('\n')}
:where(.cms-block-latest-posts,.cms-block-latest-comments,.cms-block-archives-list,.cms-block-categories-list,.cms-block-page-list){padding-inline-start:1.25em;margin-block-end:1.25em}
:where(.cms-block-latest-posts.is-grid){display:flex;flex-wrap:wrap;gap:1.25em;padding:0;list-style:none}
:where(.cms-block-search__inside-wrapper){display:flex;flex-wrap:wrap;gap:.5em}
:where(.cms-block-search__input){flex:1 1 10rem;min-width:0;padding:.5em .75em;border:1px solid var(--site-soft,#57606a);border-radius:.3rem;font:inherit}
:where(.cms-block-search__button){padding:.5em 1.2em;border:0;border-radius:.3rem;background:var(--site-link,#0b5c8a);color:var(--site-back,#fff);font:inherit;cursor:pointer}
:where(.cms-block-search__label){display:block;width:100%;font-weight:600}
:where(.cms-block-social-links){display:flex;flex-wrap:wrap;gap:.5em;padding:0;list-style:none}
:where(.cms-block-spacer){clear:both}
:where(.has-drop-cap):not(:focus)::first-letter{float:inline-start;margin:.05em .1em 0 0;font-size:4.2em;line-height:.72;font-weight:400}
:where(.has-text-align-center){text-align:center}:where(.has-text-align-right){text-align:right}:where(.has-text-align-left){text-align:left}
:where(p.has-background){padding:1.25em 2em}
:where(.site-text .alignwide){margin-inline:calc(50% - min(34rem,50vw - var(--site-gap)));max-width:none;width:auto}
:where(.site-text .alignfull){margin-inline:calc(50% - 50vw);max-width:none;width:auto}
:where(.alignwide,.alignfull)>:where(img){width:100%}
:where(.alignleft){float:left;max-width:50%;margin:.3em 1.5em 1em 0}
:where(.alignright){float:right;max-width:50%;margin:.3em 0 1em 1.5em}
:where(.aligncenter){display:table;margin-inline:auto}
:where(.cms-block-buttons.aligncenter,.cms-block-social-links.aligncenter){display:flex;justify-content:center}
:where(.cms-block-columns,.cms-block-gallery,.cms-block-cover,.cms-block-media-text,.cms-block-group){clear:both}
@media(max-width:599px){:where(.alignleft,.alignright){float:none;max-width:100%;margin-inline:0}}
${presets.join('\n')}
`
  .replaceAll('\n', '')
  .trim()
