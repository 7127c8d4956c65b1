/**
 * What people without the right to unfiltered HTML may write: elements, attributes, entities, addresses and styles. Data
 * only.
 */

export type AllowList = ReadonlyMap<string, ReadonlySet<string>>

function allowList(lines: string, everywhere: string): AllowList {
  const elements = new Map<string, ReadonlySet<string>>()
  for (const line of lines.trim().split('\n')) {
    const [names = '', attributes = ''] = line.split(':')
    const allowed = new Set(`${attributes} ${everywhere}`.split(' ').filter((name) => name !== ''))
    for (const name of names.trim().split(' ')) elements.set(name, allowed)
  }
  return elements
}

/** `data-` stands for all names that start so; they are checked by their form. */
const GLOBAL =
  `aria-controls aria-current aria-describedby aria-details aria-expanded aria-hidden aria-label aria-labelledby aria-live
 class data- dir hidden id lang style title role xml:lang`.replace('\n', '')

const CONTENT = `
abbr acronym address b bdo big br cite code dd dfn dl dt em fieldset i kbd mark object:
rb rp rt rtc ruby s samp small strike strong sub sup title tt u var:
article aside caption div figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup:align
legend main nav p section span summary:align
a:href rel rev name target download
area:alt coords href nohref shape target
audio:autoplay controls loop muted preload src
blockquote q:cite
button:disabled name type value
col colgroup:align char charoff span valign width
del:datetime
details:align open
font:color face size
hr:align noshade size width
img:alt align border height hspace loading longdesc vspace src usemap width
ins:datetime cite
label:for
li:align value
map:name
menu ul:type
ol:start type reversed
pre:width
table:align bgcolor border cellpadding cellspacing rules summary width
tbody tfoot thead:align char charoff valign
td th:abbr align axis bgcolor char charoff colspan headers height nowrap rowspan scope valign width
textarea:cols rows disabled name readonly
tr:align bgcolor char charoff valign
track:default kind label src srclang
video:autoplay controls height loop muted playsinline poster preload src width`

const TITLE = `
b code cite em i s strike strong:
a:href title
abbr acronym:title
blockquote q:cite
del:datetime`

/** Built on first use: importing the module does no work. */
function once<T>(build: () => T): () => T {
  let built: T | undefined
  return () => {
    built ??= build()
    return built
  }
}

export const contentElements = once(() => allowList(CONTENT, GLOBAL))
export const titleElements = once(() => allowList(TITLE, ''))

/** Attributes whose value is an address. */
export const ADDRESSES: ReadonlySet<string> = new Set(['cite', 'href', 'longdesc', 'poster', 'src', 'usemap'])

export const PROTOCOLS: ReadonlySet<string> = new Set(
  'http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp webcal urn'.split(
    ' ',
  ),
)

/** Named entities that are known to every reader of HTML and XHTML. Others are shown as they were typed. */
export const ENTITIES: ReadonlySet<string> = new Set(
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn acute micro para middot cedil ordm
raquo iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve
Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil
egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml
yacute thorn yuml quot amp lt gt apos OElig oelig Scaron scaron Yuml circ tilde ensp emsp thinsp zwnj zwj lrm rlm ndash mdash lsquo
rsquo sbquo ldquo rdquo bdquo dagger Dagger permil lsaquo rsaquo euro fnof Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa
Lambda Mu Nu Xi Omicron Pi Rho Sigma Tau Upsilon Phi Chi Psi Omega alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu
nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega thetasym upsih piv bull hellip prime Prime oline frasl weierp image
real trade alefsym larr uarr rarr darr harr crarr lArr uArr rArr dArr hArr forall part exist empty nabla isin notin ni prod sum minus
lowast radic prop infin ang and or cap cup int sim cong asymp ne equiv le ge sub sup nsub sube supe oplus otimes perp sdot lceil rceil
lfloor rfloor lang rang loz spades clubs hearts diams sup1 sup2 sup3 frac14 frac12 frac34 there4`.split(/[ \n]/),
)

/** Style properties; those named `--x` are allowed as well. */
export const STYLES: ReadonlySet<string> = new Set(
  `background background-color background-image background-position background-repeat background-size background-attachment
background-blend-mode border border-radius border-width border-color border-style border-right border-right-color border-right-style
border-right-width border-bottom border-bottom-color border-bottom-left-radius border-bottom-right-radius border-bottom-style
border-bottom-width border-left border-left-color border-left-style border-left-width border-top border-top-color
border-top-left-radius border-top-right-radius border-top-style border-top-width border-spacing border-collapse caption-side columns
column-count column-fill column-gap column-rule column-span column-width color filter font font-family font-size font-style
font-variant font-weight letter-spacing line-height text-align text-decoration text-indent text-transform height min-height max-height
width min-width max-width margin margin-right margin-bottom margin-left margin-top margin-block-start margin-block-end
margin-inline-start margin-inline-end padding padding-right padding-bottom padding-left padding-top padding-block-start
padding-block-end padding-inline-start padding-inline-end flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap gap
row-gap grid-template-columns grid-auto-columns grid-column-start grid-column-end grid-column-gap grid-template-rows grid-auto-rows
grid-row-start grid-row-end grid-row-gap grid-gap justify-content justify-items justify-self align-content align-items align-self
clear cursor direction float list-style-type object-fit object-position overflow vertical-align writing-mode position top right bottom
left z-index box-shadow aspect-ratio`.split(/[ \n]/),
)

/** Properties whose value may hold an address. */
export const STYLES_WITH_ADDRESS: ReadonlySet<string> = new Set(['background', 'background-image', 'cursor', 'filter'])
/** Properties whose value may be a gradient. */
export const STYLES_WITH_GRADIENT: ReadonlySet<string> = new Set(['background', 'background-image'])
