/** Elements of the new generation, by name: containers, tabs, widgets, components. */
import type { ElementType } from '../engine/pass.ts'

export const atomicElements: { readonly [name: string]: ElementType } = {}
