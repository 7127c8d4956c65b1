/** Where Chromium is on this machine. Nothing is downloaded: it comes from the packages of the system. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Finds Chromium by the variable `CHROMIUM`, else in the path. */
export function chromiumPath(): string | undefined {
  const given = process.env.CHROMIUM
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = given === undefined ? names.flatMap((name) => folders.map((folder) => join(folder, name))) : [given]
  return found.find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export const howToGetChromium =
  'Chromium was not found: install it (Debian: apt-get install -y chromium) or name it in CHROMIUM=/path/to/chromium.'
