/**
 * Counters that triggers maintain, compared with the rows that they count, and made anew from them. A host that writes with
 * triggers turned off, or a damaged file, makes them wrong.
 */

/** A table of counters or copies. */
interface Counter {
  /** What a wrong one is called: `the number of posts`. */
  readonly name: string
  /** Rows of `what`, the stored value and the right one, where they differ. */
  readonly differences: string
  readonly rebuild: readonly string[]
}

interface Dialect {
  /** What stands before the name of a table: empty, or a quoted schema and a dot. */
  readonly prefix: string
  /** The roles of users stand in a table of their own. */
  readonly hasRoleTable: boolean
  /** The JSON text of the fields of the list `l` of a record. */
  readonly recordPart: (record: string) => string
}

/** In the order in which they must be made anew: the later ones count rows of the earlier ones. */
export function counters({ prefix: p, hasRoleTable, recordPart }: Dialect): readonly Counter[] {
  const countedRecords = `${p}records r join ${p}record_lists l on l.collection = r.collection`
  return [
    {
      name: 'the number of posts',
      differences: differing(
        `select type || ' ' || status as what, count as stored, 0 as counted from ${p}post_counts`,
        `select type || ' ' || status, 0, count(*) from ${p}posts group by type, status`,
      ),
      rebuild: [
        `delete from ${p}post_counts`,
        `insert into ${p}post_counts select type, status, count(*) from ${p}posts group by type, status`,
      ],
    },
    {
      name: 'the copy of a post beside its terms',
      differences: `select 'post ' || x.post_id || ' term ' || x.term_id, x.type || ' ' || x.status || ' ' || x.date,
        p.type || ' ' || p.status || ' ' || p.date from ${p}post_terms x join ${p}posts p on p.id = x.post_id
        where x.type <> p.type or x.status <> p.status or x.date <> p.date`,
      rebuild: ['type', 'status', 'date'].map(
        (column) => `update ${p}post_terms set ${column} = (select o.${column} from ${p}posts o where o.id = post_id)
          where ${column} <> (select o.${column} from ${p}posts o where o.id = post_id)`,
      ),
    },
    {
      name: 'the number of posts of a term',
      differences: differing(
        `select term_id || ' ' || type || ' ' || status as what, count as stored, 0 as counted from ${p}term_counts`,
        `select term_id || ' ' || type || ' ' || status, 0, count(*) from ${p}post_terms group by term_id, type, status`,
      ),
      rebuild: [
        `delete from ${p}term_counts`,
        `insert into ${p}term_counts select term_id, type, status, count(*) from ${p}post_terms
          group by term_id, type, status`,
      ],
    },
    {
      name: 'the number of published posts of a term',
      differences: differing(
        `select 'term ' || id as what, count as stored, 0 as counted from ${p}terms`,
        `select 'term ' || term_id, 0, count(*) from ${p}post_terms where status = 'publish' group by term_id`,
      ),
      rebuild: [
        `update ${p}terms set count = (select count(*) from ${p}post_terms x
          where x.term_id = ${p}terms.id and x.status = 'publish')`,
      ],
    },
    {
      name: 'the number of used terms among a term and those below',
      differences: differing(
        `select 'term ' || id as what, used_in_tree as stored, 0 as counted from ${p}terms`,
        `select 'term ' || id, 0, count from ${usedTerms(p)}`,
      ),
      rebuild: [`update ${p}terms set used_in_tree = 0 where used_in_tree <> 0`, usedInTrees(p)],
    },
    {
      name: 'the length of a list',
      differences: differing(
        `select list || ' ' || part as what, count as stored, 0 as counted from ${p}list_counts
          where list not in (select list from ${p}record_lists)`,
        listLengths(p)
          .map(({ list, part, rows }) => `select '${list} ' || ${part}, 0, count(*) from ${rows}`)
          .join(' union all '),
      ),
      rebuild: [
        `delete from ${p}list_counts where list not in (select list from ${p}record_lists)`,
        ...listLengths(p).map(
          ({ list, part, rows }) =>
            `insert into ${p}list_counts (list, part, count) select '${list}', ${part}, count(*) from ${rows}`,
        ),
      ],
    },
    {
      name: 'the number of records of a list',
      differences: differing(
        `select c.list || ' ' || c.part as what, c.count as stored, 0 as counted
          from ${p}list_counts c join ${p}record_lists l on l.list = c.list`,
        `select l.list || ' ' || ${recordPart('r')}, 0, count(*) from ${countedRecords} group by 1`,
      ),
      rebuild: [
        `delete from ${p}list_counts where list in (select list from ${p}record_lists)`,
        `insert into ${p}list_counts (list, part, count)
          select l.list, ${recordPart('r')}, count(*) from ${countedRecords} group by 1, 2`,
      ],
    },
    ...(hasRoleTable ? [roles] : []),
  ]
}

/** Each term with a used one among itself and those below, and their number. */
const usedTerms = (p: string) => `(with recursive above (used, id, parent) as (
    select id, id, parent from ${p}terms where count > 0
    union select a.used, t.id, t.parent from ${p}terms t join above a on t.id = a.parent
  ) select id, count(*) as count from above group by id) used_terms`

/** Fills the numbers where all are 0. */
export const usedInTrees = (p: string) =>
  `update ${p}terms as c set used_in_tree = used_terms.count from ${usedTerms(p)} where used_terms.id = c.id`

const listLengths = (p: string) => [
  { list: 'terms', part: 'taxonomy', rows: `${p}terms group by taxonomy` },
  { list: 'used terms', part: 'taxonomy', rows: `${p}terms where count > 0 group by taxonomy` },
  { list: 'used trees', part: 'taxonomy', rows: `${p}terms where used_in_tree > 0 group by taxonomy` },
  { list: 'users', part: "''", rows: `${p}users` },
  {
    list: 'media',
    part: "type || ' ' || status || ' ' || mime_type",
    rows: `${p}posts where mime_type <> '' group by type, status, mime_type`,
  },
]

const differing = (stored: string, counted: string) =>
  `select what, sum(stored), sum(counted) from (${stored} union all ${counted}) pairs
    group by what having sum(stored) <> sum(counted) order by what`

const roles: Counter = {
  name: 'the role of a user',
  differences: differing(
    `select 'user ' || user_id || ' ' || role as what, 1 as stored, 0 as counted from user_roles`,
    `select distinct 'user ' || u.id || ' ' || r.value, 0, 1 from users u, json_each(u.roles) r`,
  ),
  rebuild: [
    'delete from user_roles',
    'insert or ignore into user_roles select r.value, u.id from users u, json_each(u.roles) r',
  ],
}

/** What a check has found. */
export interface CheckReport {
  /** Sentences about what was wrong and is right now; without `repair`, what it would mend. */
  readonly repaired: readonly string[]
  /** Sentences about what it can not mend. */
  readonly problems: readonly string[]
}

/** `the number of posts: post draft is stored as 3 and is 2`. */
export const differenceText = (name: string, [what, stored, counted]: readonly unknown[]): string =>
  `${name}: ${what} is stored as ${stored} and is ${counted}`
