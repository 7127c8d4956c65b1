/** Ends the run with one line if Chromium is not installed. */
import { chromiumPath, howToGetChromium } from './chromium.ts'

export default function setup(): void {
  if (chromiumPath() !== undefined) return
  console.error(howToGetChromium)
  process.exit(1)
}
