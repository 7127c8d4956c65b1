/** The interface of the service that renders texts. */

/** Data of the post that rules use besides the text. A rule without its data leaves its part out. */
export interface RenderContext {
  /** The id of the post, which the ids of its players contain. */
  readonly id?: number
  /** The meta value `footnotes`, as JSON text. */
  readonly footnotes?: string
  /** Whether blocks get the classes and custom properties of their layouts, for a style sheet. Default: false. */
  readonly hasLayout?: boolean
  /** Whether typed smilies become emoji. Default: true. */
  readonly faces?: boolean
  /** The block whose stored markup the text is: its first element gets the layout of the block. */
  readonly inside?: Pick<DrawnBlock, 'name' | 'attributes'>
  /** Draws blocks and shortcodes that show other rows. Default: they show nothing. */
  readonly draw?: ContentDrawer
}

/** A block that is drawn from its attributes and from other rows. */
export interface DrawnBlock {
  readonly name: string
  readonly attributes: { readonly [name: string]: unknown }
  /** The source between its markers. */
  readonly inner: string
}

/** Draws the parts of a content that show other rows than its post. The results are safe HTML. */
export interface ContentDrawer {
  /** Whether `block` draws blocks of this name. Other blocks show the markup between their markers. */
  draws(name: string): boolean
  block(block: DrawnBlock): string
  /** Whether square brackets with this name are a shortcode. Default: the built-in names. */
  isShortcode?(name: string): boolean
  /** Undefined: nothing draws the shortcode. Those of articles are rendered without a drawer; others stay as typed. */
  shortcode?(
    name: string,
    attributes: { readonly [name: string]: string },
    inner: string | undefined,
  ): string | undefined
}

/** How `createRender` renders. */
export interface TextOptions {
  /** The names of the shortcodes that the host defines. Default: the built-in ones only. */
  readonly shortcodes?: readonly string[]
}

export interface ExcerptOptions extends Pick<RenderContext, 'faces'> {
  /** The length of a made excerpt in words. Default: 55. */
  readonly words?: number
}

/** Renders HTML as stored to HTML for readers. No method throws, and the cost is linear in the text. */
export interface Render {
  title(raw: string): string
  content(raw: string, context?: RenderContext): string
  /** Renders a written excerpt, or makes one from the content. */
  excerpt(post: { readonly excerpt: string; readonly content: string }, options?: ExcerptOptions): string
}
