/** Decides which types and taxonomies of a source are imported. */
export interface TypeRules {
  /** Tells whether the profile has the type, whose rules then apply. */
  isDeclared(type: string): boolean
  /** Tells whether items of a type that the profile lacks are kept; from then on it is a type of the site. */
  keeps(written: string): boolean
  /** Tells whether terms of the taxonomy are imported: the profile has it, or it is kept. `written`: its name in the source. */
  hasTaxonomy(taxonomy: string, written: string): boolean
}
