/** The rules of blocks that hold texts and files. A page gets the rules of the blocks that it contains. */

/** From 600 pixels on, the popover is a list in its place, and submenus lie over what follows. */
const navigationRules = [
  '.cms-block-navigation{display:flex;flex-wrap:wrap;align-items:center;margin-block-end:1.25em;font-family:var(--site-sans)}',
  '.cms-block-navigation ul{margin:0;padding:0;list-style:none}.cms-block-navigation li{position:relative;margin:0}',
  '.cms-block-navigation__container{display:flex;flex-wrap:wrap;align-items:center;gap:var(--cms-gap,.25em 1.5em)}',
  '.is-content-justification-center .cms-block-navigation__container{justify-content:center}.is-content-justification-right .cms-block-navigation__container{justify-content:flex-end}@media (max-width:599px){.cms-block-navigation__container{align-items:flex-start}}',
  '.is-vertical .cms-block-navigation__container{flex-direction:column;align-items:flex-start}',
  '.cms-block-navigation-item__content{display:block;padding:.35em 0;color:inherit;text-decoration:none}.cms-block-navigation-item__content:is(:hover,[aria-current]){text-decoration:underline}',
  '.has-child>.cms-block-navigation-item__content{padding-inline-end:2.25em}.has-child>.cms-block-navigation-item__content+details>summary{position:absolute;top:0;inset-inline-end:0}',
  '.cms-block-navigation summary{display:flex;align-items:center;justify-content:center;gap:.4em;min-width:2em;min-height:2.25em;border-radius:.3em;cursor:pointer;list-style:none}.cms-block-navigation summary::-webkit-details-marker{display:none}',
  '.cms-block-navigation summary:has(span){justify-content:space-between}.cms-block-navigation summary svg{flex:none}.cms-block-navigation details[open]>summary svg{rotate:180deg}',
  '.cms-block-navigation :is(.cms-block-navigation__open,.cms-block-navigation__close){display:flex;padding:.6em;border:0;background:none;color:inherit;font:inherit;cursor:pointer}.cms-block-navigation__close{margin-inline-start:auto}',
  '.cms-block-navigation .cms-block-navigation__submenu-container{padding-inline-start:1em}',
  '.cms-block-navigation__panel:popover-open{position:fixed;inset:0;width:100%;height:100%;max-width:none;max-height:none;margin:0;padding:1rem 1.5rem 2rem;border:0;overflow:auto;background:var(--cms-overlay-back,var(--site-card));color:var(--cms-overlay-text,var(--site-text))}',
  '.cms-block-navigation__panel:popover-open .cms-block-navigation__container{flex-direction:column;align-items:stretch;gap:.25em;font-size:1.15rem}',
  '@media (min-width:600px){.is-responsive:not(.is-always-overlay) :is(.cms-block-navigation__open,.cms-block-navigation__close){display:none}',
  '.is-responsive:not(.is-always-overlay)>.cms-block-navigation__panel{display:block;position:static;width:auto;height:auto;margin:0;padding:0;border:0;overflow:visible;background:none;color:inherit}',
  '.cms-block-navigation:not(.is-vertical,.is-always-overlay) .cms-block-navigation__container>li>details>ul{position:absolute;inset-inline-start:0;top:100%;z-index:20;width:max-content;min-width:12rem;max-width:20rem;padding:.5rem 1rem;border:1px solid var(--site-line);border-radius:.3rem;background:var(--cms-overlay-back,var(--site-card));color:var(--cms-overlay-text,var(--site-text))}}',
].join('')

const pagingRules = (list: string): string =>
  `.cms-block-${list}-pagination{display:flex;flex-wrap:wrap;align-items:center;gap:.5em 1em;margin-block:1.5em;font-family:var(--site-sans)}.cms-block-${list}-pagination>*{margin:0}.cms-block-${list}-pagination-numbers{display:flex;flex-wrap:wrap;gap:.25em}.cms-block-${list}-pagination .page-numbers{min-width:2.5rem;padding:.45rem .6rem;border:1px solid transparent;border-radius:.3rem;text-align:center}.cms-block-${list}-pagination .page-numbers.current{border-color:currentColor;font-weight:600}`

const rules = {
  audio: '.cms-block-audio audio{display:block;width:100%;min-width:min(18rem,100%)}',
  avatar: '.cms-block-avatar img{display:block;border-radius:9999px}',
  calendar:
    '.cms-block-calendar table{width:100%;table-layout:fixed}.cms-block-calendar :is(td,th){padding:.3em;text-align:center}',
  code: '.cms-block-code{padding:1em 1.25em;border:1px solid var(--site-line);border-radius:.3em;background:var(--site-card);font-size:.95rem;overflow-x:auto}.cms-block-code code{white-space:pre}',
  'comment-template':
    '.cms-block-comment-template,.cms-block-comment-template .children{margin:0;padding:0;list-style:none}.cms-block-comment-template .children{padding-inline-start:clamp(.75rem,4vw,2rem);border-inline-start:2px solid var(--site-line)}.cms-block-comment-template .comment{padding-block:.75em;margin:0;overflow-wrap:break-word}.cms-block-comment-template .comment-meta{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 1em}.cms-block-comment-author-name{font-weight:600}.cms-block-comment-content p{margin:.2em 0 .5em}:is(.cms-block-comment-date,.cms-block-comment-reply-link){font-size:.88rem}',
  'comments-pagination': pagingRules('comments'),
  details:
    '.cms-block-details{margin-block-end:1.25em}.cms-block-details summary{cursor:pointer;font-weight:600}.cms-block-details[open]>summary{margin-block-end:.6em}',
  embed:
    '.cms-block-embed__wrapper{position:relative}.cms-block-embed iframe{display:block;width:100%;border:0}' +
    [
      ['21-9', '21/9'],
      ['18-9', '2'],
      ['16-9', '16/9'],
      ['4-3', '4/3'],
      ['1-1', '1'],
      ['9-16', '9/16'],
      ['1-2', '1/2'],
    ]
      .map(
        ([name, ratio]) =>
          `.cms-embed-aspect-${name}.cms-has-aspect-ratio iframe{width:100%;height:auto;aspect-ratio:${ratio}}`,
      )
      .join(''),
  file: '.cms-block-file{margin-block-end:1.25em}.cms-block-file__button{display:inline-block;margin-inline-start:.75em;padding:.35em 1em;border-radius:9999px;background:var(--site-link);color:var(--site-back);font:600 .9rem var(--site-sans);text-decoration:none}.cms-block-file__embed{width:100%;border:0}',
  'latest-comments':
    '.cms-block-latest-comments{padding:0;list-style:none}.cms-block-latest-comments__comment{margin-block-end:1em}.cms-block-latest-comments__comment-date{display:block;color:var(--site-soft);font-size:.88rem}',
  'latest-posts':
    '.cms-block-latest-posts{padding:0;list-style:none}.cms-block-latest-posts>li{margin-block-end:1em;overflow-wrap:anywhere}.cms-block-latest-posts.is-grid{display:grid;gap:1.25em;grid-template-columns:repeat(auto-fill,minmax(min(14rem,100%),1fr))}.cms-block-latest-posts__post-date,.cms-block-latest-posts__post-author{display:block;color:var(--site-soft);font-size:.88rem}',
  navigation: navigationRules,
  'post-author':
    '.cms-block-post-author{display:flex;gap:.75em}.cms-block-post-author p{margin:0}.cms-block-post-author__byline{font-size:.88rem}',
  'post-excerpt': '.cms-block-post-excerpt p{margin-block-end:.6em}',
  'post-featured-image':
    '.cms-block-post-featured-image{margin:0 0 1em}.cms-block-post-featured-image img{display:block;width:100%;height:auto}.cms-block-post-featured-image:is(.alignleft,.alignright){width:min(50%,16rem)}',
  'post-template':
    '.cms-block-post-template.cms-block-post-template{padding:0;list-style:none}.cms-block-post-template>li{min-width:0;margin-block-end:2em;overflow-wrap:break-word}.cms-block-post-template>li::after{content:"";display:table;clear:both}.cms-block-post-template .cms-block-post-title{margin-block:0 .4em}.cms-block-post-template.is-layout-grid{gap:var(--cms-gap,1.5em);margin-block-end:1.5em}@media (max-width:599px){.cms-block-post-template.is-layout-grid{grid-template-columns:minmax(0,1fr)}}',
  'query-pagination': pagingRules('query'),
  'post-comments-form':
    '.cms-block-post-comments-form{margin-block:1.5em;font-family:var(--site-sans)}.cms-block-post-comments-form p{margin:0 0 .8em}.cms-block-post-comments-form label{display:block;margin-block-end:.2em;font-weight:600}.cms-block-post-comments-form :is(input:not([type=hidden]),textarea){display:block;width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--site-soft);border-radius:.3rem;background:var(--site-card);color:inherit;font:inherit}.cms-block-post-comments-form button{min-height:2.75rem;padding:.5rem 1.2rem;border:1px solid var(--site-link);border-radius:.3rem;background:var(--site-link);color:var(--site-back);font:600 1rem var(--site-sans);cursor:pointer}',
  preformatted: '.cms-block-preformatted{white-space:pre-wrap;overflow-wrap:anywhere}',
  pullquote:
    '.cms-block-pullquote{padding:1.5em 0;border-block:3px solid;text-align:center}.cms-block-pullquote blockquote{margin:0;padding:0;border:0;font-size:1.35em;line-height:1.4}.cms-block-pullquote p{margin:0 0 .5em}.cms-block-pullquote:is(.alignleft,.alignright){max-width:min(26rem,100%)}',
  quote:
    '.cms-block-quote.is-style-plain{padding:0;border:0}.cms-block-quote:is(.is-large,.is-style-large){font-size:1.25em}.cms-block-quote.has-text-align-right{padding-inline:0 1.25rem;border-inline-width:0 3px;border-inline-end:3px solid var(--site-link)}.cms-block-quote.has-text-align-center{padding:0;border:0}.cms-block-quote cite{display:block}',
  search:
    '.cms-block-search__inside-wrapper{display:flex;flex-wrap:wrap;gap:.5em}.cms-block-search__label{display:block;width:100%;margin-block-end:.3em;font-weight:600}.cms-block-search__input{flex:1 1 10rem;min-width:0;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--site-soft);border-radius:.3rem;background:var(--site-card);color:inherit;font:inherit}.cms-block-search__button{min-height:2.75rem;padding:.5rem 1.2rem;border:1px solid var(--site-link);border-radius:.3rem;background:var(--site-link);color:var(--site-back);font:600 1rem var(--site-sans);cursor:pointer}',
  separator:
    '.cms-block-separator{height:0;padding:0!important;margin:2em auto;border:0;border-block-start:2px solid;opacity:.6}.cms-block-separator:not(.is-style-wide,.is-style-dots,.alignwide,.alignfull){width:7rem}.cms-block-separator.has-background{opacity:1}.cms-block-separator.is-style-dots{height:auto;border:0;background:none!important;text-align:center;line-height:1}.cms-block-separator.is-style-dots::before{content:"\\00b7\\00b7\\00b7";font-size:1.5em;letter-spacing:1.5em;padding-inline-start:1.5em}',
  'social-links':
    '.cms-block-social-links{display:flex;flex-wrap:wrap;gap:.5em;padding:0!important;list-style:none}.cms-block-social-links.aligncenter{justify-content:center}.cms-block-social-link{margin:0}.cms-block-social-link-anchor{display:inline-flex;align-items:center;gap:.4em;padding:.4em;border-radius:9999px;background:var(--site-text);color:var(--site-back);text-decoration:none;line-height:1}.cms-block-social-links.is-style-logos-only .cms-block-social-link-anchor{background:none;color:inherit}.cms-block-social-links.is-style-pill-shape .cms-block-social-link-anchor{padding-inline:1em}.has-visible-labels .cms-block-social-link-label{position:static;width:auto;height:auto;margin:0;clip-path:none}',
  spacer: '.cms-block-spacer{clear:both}',
  table:
    '.cms-block-table{overflow-x:auto}.cms-block-table table{display:table;width:100%;margin:0}.cms-block-table :is(td,th){padding:.5em .75em;border:1px solid var(--site-line)}.cms-block-table thead{border-block-end:3px solid}.cms-block-table tfoot{border-block-start:3px solid}.cms-block-table .has-fixed-layout{table-layout:fixed}.cms-block-table .has-fixed-layout :is(td,th){overflow-wrap:anywhere}.cms-block-table.is-style-stripes :is(td,th){border-color:transparent}.cms-block-table.is-style-stripes tbody tr:nth-child(odd){background:color-mix(in srgb,currentColor 8%,transparent)}.cms-block-table.is-style-stripes{border-block-end:1px solid var(--site-line)}',
  'tag-cloud': '.cms-block-tag-cloud a{display:inline-block;margin-inline-end:.5em}',
  verse: '.cms-block-verse{white-space:pre-wrap;overflow-wrap:anywhere;font-family:inherit}',
  video:
    '.cms-block-video video{display:block;width:100%}.cms-block-video.aligncenter,.cms-block-audio.aligncenter{display:block}',
} as const

export const partRules: ReadonlyMap<string, string> = new Map(Object.entries(rules))
