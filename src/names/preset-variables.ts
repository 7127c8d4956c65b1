/** Names the custom properties by which stored styles ask for a colour, a size or a space of the theme. */

/** Imported texts keep the words of the site that they came from, so a style sheet defines each property under both words. */
export const presetPrefixes = ['--cms--preset--', '--wp--preset--'] as const
