/** The profile of an api whose type does not name it. Types only. */
import type { Feature } from '../core/declare/feature.ts'
import type { DeclaredProfile } from '../core/declare/profile.ts'
import type { D1 } from '../profiles/d1.ts'
import type { D2 } from '../profiles/d2.ts'

/**
 * Stands for the profile where a type does not name it, as in `SiteApi`: the routes of the package's profiles have their
 * types, and any other path may be called.
 */
export interface KnownProfile extends DeclaredProfile<D1['features'][number] | D2['features'][number] | Feature> {}
