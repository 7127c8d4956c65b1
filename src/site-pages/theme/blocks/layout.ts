/** The rules of blocks that place other blocks, of alignments and of backgrounds. A page with blocks needs them together. */

export const layoutRules = `
:where(body>main){overflow-x:clip}
:where(.site-text) :where(.has-background){padding:1.25em 1.5em}
:where(.site-text){container-type:normal}
.has-text-align-left{text-align:left}.has-text-align-center{text-align:center}.has-text-align-right{text-align:right}
.has-drop-cap::first-letter{float:inline-start;margin:.08em .1em 0 0;font-size:3.6em;line-height:.75;font-weight:600}
.has-drop-cap:focus::first-letter{float:none}
.site-text>.alignfull{width:100vw;max-width:100vw;margin-inline:calc(50% - 50vw)}
.site-text>.alignwide{--wide:min(var(--site-width),100vw - 2*var(--site-gap));width:var(--wide);max-width:var(--wide);margin-inline:calc(50% - var(--wide)/2)}
.aligncenter{display:table;margin-inline:auto;text-align:center}
.alignleft,.alignright{max-width:min(50%,24rem);margin-block:.35em 1em}
.alignleft{float:left;margin-inline:0 1.5em}.alignright{float:right;margin-inline:1.5em 0}
:where([dir=rtl]) .alignleft{margin-inline:1.5em 0}:where([dir=rtl]) .alignright{margin-inline:0 1.5em}
@media (max-width:480px){.alignleft,.alignright{float:none;max-width:100%;margin-inline:0}}
.screen-reader-text{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.site-text::after{content:"";display:table;clear:both}
.cms-block-image figcaption,.cms-block-embed figcaption,.cms-block-video figcaption,.cms-block-audio figcaption,.cms-block-table figcaption,.cms-block-gallery figcaption{margin-top:.5em;color:var(--site-soft);font:.88rem/1.4 var(--site-sans)}
.cms-block-image img{display:inline-block;vertical-align:bottom}
.cms-block-image.is-style-rounded img,.is-style-rounded .cms-block-image img{border-radius:9999px}
.cms-block-image.alignwide img,.cms-block-image.alignfull img{width:100%}
.cms-block-image :where(.aligncenter,.alignleft,.alignright)>figcaption{display:table-caption;caption-side:bottom}
.cms-block-image :is(.alignleft,.alignright){display:table}
.cms-block-columns{display:flex;flex-wrap:wrap;gap:var(--cms-gap,2em);margin-block-end:1.75em}
.cms-block-column{flex:1 1 0;min-width:0;overflow-wrap:break-word}
.cms-block-column>:last-child,.cms-block-group>:last-child,.cms-block-cover__inner-container>:last-child,.cms-block-media-text__content>:last-child{margin-block-end:0}
.cms-block-column[style*=flex-basis]{flex-grow:0}
.cms-block-columns.are-vertically-aligned-top,.cms-block-columns.is-vertically-aligned-top{align-items:flex-start}
.cms-block-columns.are-vertically-aligned-center{align-items:center}.cms-block-columns.are-vertically-aligned-bottom{align-items:flex-end}
.cms-block-column.is-vertically-aligned-top{align-self:flex-start}.cms-block-column.is-vertically-aligned-center{align-self:center}
.cms-block-column.is-vertically-aligned-bottom{align-self:flex-end}.cms-block-column.is-vertically-aligned-stretch{align-self:stretch}
@media (max-width:781px){.cms-block-columns:not(.is-not-stacked-on-mobile)>.cms-block-column{flex:1 1 100%!important}}
@media (min-width:782px){.cms-block-columns{flex-wrap:nowrap}.cms-block-column[style*=flex-basis]{flex-shrink:1}}
.cms-block-columns.is-not-stacked-on-mobile{flex-wrap:nowrap}
.cms-block-group{margin-block-end:1.25em}
.is-layout-flex{display:flex;flex-wrap:wrap;align-items:center;gap:var(--cms-gap,1em)}
.is-layout-flex>*,.is-layout-grid>*{margin:0!important;min-width:0}
.is-layout-flex.is-vertical{flex-direction:column;align-items:flex-start}
.is-layout-flex.is-nowrap{flex-wrap:nowrap}
.is-layout-flex.is-content-justification-center{justify-content:center}.is-layout-flex.is-content-justification-right{justify-content:flex-end}
.is-layout-flex.is-content-justification-space-between{justify-content:space-between}
.is-layout-flex.is-vertical.is-content-justification-center{align-items:center}.is-layout-flex.is-vertical.is-content-justification-right{align-items:flex-end}
.is-layout-flex.is-vertical.is-content-justification-stretch{align-items:stretch}
.is-layout-flex.is-vertical:is(.is-content-justification-center,.is-content-justification-right,.is-content-justification-space-between){justify-content:flex-start}
.is-layout-flex.is-vertically-aligned-top{align-items:flex-start}.is-layout-flex.is-vertically-aligned-bottom{align-items:flex-end}
.is-layout-flex.is-vertically-aligned-stretch{align-items:stretch}
.is-layout-grid{display:grid;gap:var(--cms-gap,1em);grid-template-columns:repeat(auto-fill,minmax(min(var(--cms-column,12rem),100%),1fr))}
.is-layout-grid.has-column-count{grid-template-columns:repeat(var(--cms-columns,3),minmax(0,1fr))}
@media (max-width:599px){.is-layout-grid.has-column-count{grid-template-columns:repeat(min(var(--cms-columns,3),2),minmax(0,1fr))}}
.is-layout-constrained>:where(:not(.alignleft,.alignright,.alignfull,.alignwide)){max-width:var(--cms-content,var(--site-measure));margin-inline:auto}
.is-layout-constrained>.alignwide{max-width:var(--cms-wide,var(--site-width));margin-inline:auto}
.cms-block-cover{position:relative;display:flex;align-items:center;justify-content:center;min-height:26rem;padding:1.25em;margin-block-end:1.5em;overflow:hidden;overflow:clip;color:#fff;background-position:50%}
.cms-block-cover.is-light{color:#111}
.cms-block-cover__image-background,.cms-block-cover__video-background{position:absolute;inset:0;width:100%;height:100%;max-width:none;margin:0;object-fit:cover;border:0}
.cms-block-cover__image-background.has-parallax{background-size:cover;background-attachment:fixed}.cms-block-cover__image-background.is-repeated{background-repeat:repeat;background-size:auto}
.cms-block-cover__background,.cms-block-cover__gradient-background{position:absolute;inset:0;padding:0!important;background-color:#000;opacity:.5}
.cms-block-cover__gradient-background{background-color:transparent}
.cms-block-cover.is-light .cms-block-cover__background:not(.has-background){background-color:#fff}
${Array.from({ length: 11 }, (_, step) => `.cms-block-cover .has-background-dim-${step * 10}{opacity:${step / 10}}`).join('')}
.cms-block-cover__inner-container{position:relative;width:100%;max-width:var(--site-width);color:inherit}
.cms-block-cover__inner-container>:where(:first-child){margin-block-start:0}
.cms-block-cover[class*=-left]{justify-content:flex-start}.cms-block-cover[class*=-right]{justify-content:flex-end}
.cms-block-cover[class*=is-position-top]{align-items:flex-start}.cms-block-cover[class*=is-position-bottom]{align-items:flex-end}
.cms-block-cover.has-custom-content-position .cms-block-cover__inner-container{width:auto}
.cms-block-gallery{display:flex;flex-wrap:wrap;gap:var(--cms-gap,1rem);padding:0;list-style:none}
.cms-block-gallery>.blocks-gallery-grid{display:flex;flex-wrap:wrap;gap:1rem;width:100%;margin:0;padding:0;list-style:none}
.cms-block-gallery>figcaption,.cms-block-gallery>.blocks-gallery-caption{flex:1 0 100%;text-align:center}
.cms-block-gallery figure.cms-block-image,.cms-block-gallery .blocks-gallery-item{--count:2;position:relative;flex:1 1 calc((100% - (var(--count) - 1)*1rem)/var(--count) - .1px);max-width:100%;min-width:0;margin:0;display:flex;flex-direction:column}
.cms-block-gallery .blocks-gallery-item figure{height:100%;margin:0}
.cms-block-gallery img{display:block;width:100%;height:auto}
.cms-block-gallery.is-cropped img{flex:1 0 0;height:100%;object-fit:cover}
.cms-block-gallery.columns-1 :is(figure.cms-block-image,.blocks-gallery-item){--count:1}
@media (min-width:600px){.cms-block-gallery :is(figure.cms-block-image,.blocks-gallery-item){--count:3}
${[2, 3, 4, 5, 6, 7, 8].map((count) => `.cms-block-gallery.columns-${count} :is(figure.cms-block-image,.blocks-gallery-item){--count:${count}}`).join('')}}
.cms-block-buttons{display:flex;flex-wrap:wrap;gap:var(--cms-gap,.6em);margin-block-end:1.5em}
.cms-block-button__link{display:inline-block;max-width:100%;padding:.6em 1.4em;border-radius:.4em;background:var(--site-link);color:var(--site-back);font:600 1rem/1.4 var(--site-sans);text-align:center;text-decoration:none;overflow-wrap:anywhere}
.cms-block-button.is-style-outline>.cms-block-button__link,.cms-block-button__link.is-style-outline{padding:calc(.6em - 2px) calc(1.4em - 2px);border:2px solid;background:transparent;color:var(--site-link)}
.cms-block-button.is-style-squared>.cms-block-button__link,.cms-block-button__link.no-border-radius{border-radius:0}
.cms-block-button.aligncenter{display:block;flex-basis:100%}
${[25, 50, 75, 100].map((part) => `.cms-block-buttons>.cms-block-button__width-${part}{width:calc(${part}% - var(--cms-gap,.6em)*${(100 - part) / 100})}`).join('')}
[class*=cms-block-button__width-]>.cms-block-button__link{width:100%}
.cms-block-buttons.is-content-justification-center,.cms-block-buttons.aligncenter{justify-content:center}.cms-block-buttons.is-content-justification-right{justify-content:flex-end}
.cms-block-buttons.is-content-justification-space-between{justify-content:space-between}
.cms-block-media-text{display:grid;grid-template:auto/50% 1fr;align-items:center;margin-block-end:1.5em}
.cms-block-media-text.has-media-on-the-right{grid-template-columns:1fr 50%}
.cms-block-media-text__media{grid-area:1/1;align-self:center;min-width:0;margin:0!important}.cms-block-media-text__content{grid-area:1/2;min-width:0;padding:0 8%;overflow-wrap:break-word}
.has-media-on-the-right>.cms-block-media-text__media{grid-area:1/2}.has-media-on-the-right>.cms-block-media-text__content{grid-area:1/1}
.cms-block-media-text__media :is(img,video){display:block;width:100%;max-width:none}
.cms-block-media-text.is-vertically-aligned-top>*{align-self:start}.cms-block-media-text.is-vertically-aligned-bottom>*{align-self:end}
.cms-block-media-text:is(.is-image-fill,.is-image-fill-element) .cms-block-media-text__media{position:relative;height:100%;min-height:15rem;background-size:cover}
.cms-block-media-text.is-image-fill-element img{position:absolute;inset:0;height:100%;object-fit:cover}
@media (max-width:600px){.cms-block-media-text.is-stacked-on-mobile{grid-template-columns:100%!important}
.is-stacked-on-mobile>.cms-block-media-text__media{grid-area:1/1}.is-stacked-on-mobile>.cms-block-media-text__content{grid-area:2/1;padding:1em 0}}
`
  .replaceAll('\n', '')
  .trim()
