/**
 * Names of version 4 that the data of later versions do not have as aliases, or give to another icon. Version 4 had one style,
 * so a name also selects the style. A word `old=new` renames; a single word keeps its name.
 */

import { lookupTable } from '../../contract/lookup-table.ts'

const RENAMED: { readonly [prefix: string]: string } = lookupTable({
  fas:
    'glass=martini-glass-empty repeat=arrow-rotate-right rotate-right=arrow-rotate-right map-marker=location-dot ' +
    'share-square-o=share-from-square arrows=up-down-left-right expand=up-right-and-down-left-from-center ' +
    'compress=down-left-and-up-right-to-center calendar=calendar-days arrows-v=up-down arrows-h=left-right ' +
    'bar-chart=chart-column bar-chart-o=chart-column sign-out=right-from-bracket external-link=up-right-from-square ' +
    'sign-in=right-to-bracket globe=earth-americas tasks=bars-progress arrows-alt=maximize group=users reorder=bars ' +
    'magic=wand-magic-sparkles money=money-bill-1 rotate-left=arrow-rotate-left tachometer=gauge-high dashboard=gauge-high ' +
    'flash=bolt clipboard=paste exchange=right-left tablet=tablet-screen-button mobile=mobile-screen-button ' +
    'mobile-phone=mobile-screen-button code-fork=code-branch unlock-alt=unlock level-up=turn-up level-down=turn-down ' +
    'external-link-square=square-up-right rupee=indian-rupee-sign sort-amount-asc=arrow-down-short-wide ' +
    'sort-amount-desc=arrow-down-wide-short long-arrow-down=down-long long-arrow-up=up-long long-arrow-left=left-long ' +
    'long-arrow-right=right-long life-bouy=life-ring life-buoy=life-ring life-saver=life-ring support=life-ring ' +
    'circle-o-notch=circle-notch send=paper-plane trash=trash-can transgender=mars-and-venus intersex=mars-and-venus ' +
    'hotel=bed battery-4=battery-full battery-3=battery-three-quarters battery-2=battery-half battery-1=battery-quarter ' +
    'hourglass-o=hourglass thermometer=temperature-full s15=bath',
  far:
    'trash-o=trash-can arrow-circle-o-down=circle-down arrow-circle-o-up=circle-up list-alt=rectangle-list picture-o=image ' +
    'photo=image image pencil-square-o=pen-to-square edit=pen-to-square eye eye-slash thumbs-o-up=thumbs-up ' +
    'thumbs-o-down=thumbs-down credit-card hand-o-right=hand-point-right hand-o-left=hand-point-left ' +
    'hand-o-up=hand-point-up hand-o-down=hand-point-down files-o=copy floppy-o=floppy-disk save=floppy-disk ' +
    'star-half-o=star-half-stroke star-half-empty=star-half-stroke star-half-full=star-half-stroke compass ' +
    'caret-square-o-down=square-caret-down toggle-down=square-caret-down caret-square-o-up=square-caret-up ' +
    'toggle-up=square-caret-up caret-square-o-right=square-caret-right toggle-right=square-caret-right ' +
    'arrow-circle-o-right=circle-right arrow-circle-o-left=circle-left caret-square-o-left=square-caret-left ' +
    'toggle-left=square-caret-left file-photo-o=file-image file-picture-o=file-image file-zip-o=file-zipper ' +
    'file-sound-o=file-audio file-movie-o=file-video send-o=paper-plane circle-thin=circle copyright cc=closed-captioning ' +
    'diamond=gem object-group object-ungroup clone hand-grab-o=hand-back-fist hand-stop-o=hand registered id-badge ' +
    'window-maximize window-restore',
  fab:
    'linkedin-square=linkedin facebook=facebook-f google-plus=google-plus-g linkedin=linkedin-in bitcoin=btc ' +
    'youtube-play=youtube bitbucket-square=bitbucket gittip=gratipay ra=rebel resistance=rebel ge=empire ' +
    'y-combinator-square=hacker-news yc-square=hacker-news wechat=weixin facebook-official=facebook yc=y-combinator ' +
    'vimeo=vimeo-v wheelchair-alt=accessible-icon google-plus-official=google-plus google-plus-circle=google-plus ' +
    'font-awesome fa=font-awesome eercast=sellcast',
})

/** Returns the prefix and the name in later versions. */
export const version4: ReadonlyMap<string, readonly [prefix: string, name: string]> = new Map(
  Object.entries(RENAMED).flatMap(([prefix, words]) =>
    words.split(' ').map((word) => {
      const [old = '', name = old] = word.split('=')
      return [old, [prefix, name] as const] as const
    }),
  ),
)
