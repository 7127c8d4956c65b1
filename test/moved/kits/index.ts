/** The three sites of the harness. */
import type { MovedKit } from '../writing.ts'
import { portfolio } from './portfolio.ts'
import { restaurant } from './restaurant.ts'
import { shop } from './shop.ts'

export const kits: readonly (() => MovedKit)[] = [restaurant, shop, portfolio]
