/** The settings of the site by their public names, with the options that store them. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import { type Arg, bool, int, nullable, oneOf, str } from '../../../core/declare/args.ts'
import { fields } from '../../../core/declare/response-schema.ts'

const medium = (description: string) => int({ description: `${description} The ID of a medium; 0: none.` })
const page = (description: string) => int({ description: `${description} The ID of a page; 0: none.` })
const openOrClosed = (description: string) => oneOf(['open', 'closed'], { description })

/** In the order in which the interface lists them. */
export const settingArgs = {
  title: str({ description: 'The name of the site.' }),
  description: str({ description: 'What the site is about, in a few words.' }),
  url: str({ format: 'uri', description: 'The address of the site.' }),
  email: str({ format: 'email', description: 'Where the site reaches its administrators.' }),
  timezone: str({ description: 'The name of a time zone, as in Europe/Lisbon, or an offset, as in UTC+3.' }),
  date_format: str({ description: 'How pages write dates, as in F j, Y.' }),
  time_format: str({ description: 'How pages write times, as in g:i a.' }),
  start_of_week: int({ description: 'The first day of a week; 0: Sunday.' }),
  language: str({ description: 'The language of the site, as in en_US.' }),
  use_smilies: bool({ description: 'Whether faces typed with signs become emoji.' }),
  default_category: int({ description: 'The category of posts without any.' }),
  default_post_format: str({ description: 'The format that an editor offers first; 0: the standard one.' }),
  posts_per_page: int({ description: 'How many posts a page of the site has at most.' }),
  show_on_front: str({ description: 'posts: the newest posts; page: one page.' }),
  page_on_front: page('What the front page shows.'),
  page_for_posts: page('The page that lists the posts.'),
  default_ping_status: openOrClosed('Whether other sites may report links to new posts.'),
  default_comment_status: openOrClosed('Whether new posts take comments.'),
  site_logo: medium('The logo.'),
  site_icon: medium('The icon.'),
} as const

export type SettingName = keyof typeof settingArgs

/** The options of the others are called like them. */
export const optionOf: { readonly [name in SettingName]?: string } = lookupTable({
  title: 'name',
  timezone: 'timezone_string',
})

export const settingNames = Object.keys(settingArgs) as readonly SettingName[]

/** The values on a site that never set the option. Others are null. */
export const defaultSettings: { readonly [name in SettingName]?: string | number | boolean } = lookupTable({
  date_format: 'F j, Y',
  time_format: 'g:i a',
  start_of_week: 1,
  language: 'en_US',
  use_smilies: true,
  default_post_format: '0',
  posts_per_page: 10,
  show_on_front: 'posts',
  default_ping_status: 'open',
  default_comment_status: 'open',
})

type Nullable = { readonly [K in SettingName]: Arg<unknown> }

export const settingsSchema = fields(
  Object.fromEntries(Object.entries(settingArgs).map(([name, arg]) => [name, nullable(sent(arg as Arg))])) as Nullable,
  { title: 'Settings', record: 'settings', context: [] },
)

/** Stored values need not match the formats of arguments. */
function sent<T>({ node }: Arg<T>): Arg<T> {
  const { format: _format, enum: _enum, ...rest } = node
  return { node: rest }
}
