/** The types of the tables for Kysely. */
import type { Generated } from 'kysely'

export interface Schema {
  posts: PostTable
  post_counts: { type: string; status: string; count: number }
  post_terms: { post_id: number; term_id: number; type: string; status: string; date: string }
  term_counts: { term_id: number; type: string; status: string; count: number }
  terms: TermTable
  users: UserTable
  meta: { owner: string; owner_id: number; key: string; value: string }
  options: { name: string; value: string; canonical: string }
  records: { id: Generated<number>; collection: string; body: string; folded: string }
}

interface PostTable {
  id: Generated<number>
  type: string
  status: string
  author: number
  parent: number
  version: Generated<number>
  slug: string
  date: string
  date_gmt: string | null
  modified: string
  modified_gmt: string
  title: string
  title_folded: string
  password: string
  comment_status: string
  ping_status: string
  format: string
  sticky: number
  template: string
  featured_media: number
  mime_type: string
  excerpt: string
  content: string
  excerpt_folded: string
  content_folded: string
}

interface TermTable {
  id: Generated<number>
  taxonomy: string
  slug: string
  name: string
  name_folded: string
  description: string
  parent: number
  count: Generated<number>
}

interface UserTable {
  id: Generated<number>
  login: string
  login_folded: string
  slug: string
  slug_folded: string
  display_name: string
  display_name_folded: string
  email: string
  email_folded: string
  url: string
  roles: string
  capabilities: string
  password: string
  blocked: number
  registered: string
}
