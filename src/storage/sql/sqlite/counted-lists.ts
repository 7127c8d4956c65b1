/** Begins to keep the numbers of a list: once, in the transaction of the write that needs it. */
import type { CountedList } from '../engine/session.ts'
import { recordPart } from './schema.ts'

export const registerList = ({ name, collection, fields }: CountedList): readonly string[] => [
  `insert into list_counts select l.list, ${recordPart('r')}, count(*)
    from records r, (select '${name}' as list, '${JSON.stringify(fields)}' as fields) l
    where r.collection = '${collection}' and not exists (select 1 from record_lists where list = '${name}') group by 1, 2`,
  `insert into record_lists values ('${name}', '${collection}', '${JSON.stringify(fields)}') on conflict do nothing`,
]
