/** Where the copies of a picture are that the optimization makes: `api.files` sends them to browsers that read their format. */
import { folderOf, nameOf } from '../model.ts'

export const copyPath = (path: string, format: string): string => `${folderOf(path)}optimized/${nameOf(path)}.${format}`

/** The best first. Nothing for files that have none. */
export const copiesOf = (path: string): readonly { readonly path: string; readonly type: string }[] =>
  /\.(?:jpe?g|png|webp)$/i.test(path)
    ? ['avif', 'webp'].map((format) => ({ path: copyPath(path, format), type: `image/${format}` }))
    : []
