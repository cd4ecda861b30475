import { existsSync } from 'node:fs'
import { aptInstall } from './apt-install.mjs'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const find = () => process.env.CHROMIUM || places.find(path => existsSync(path))

/** The path of a Chromium: that of CHROMIUM, the machine's own, or one installed now. Rejects with what to install. */
export const findChromium = async () => {
  if (!find()) await aptInstall(['chromium', 'fonts-dejavu-core'])
  const path = find()
  if (!path)
    throw new Error(
      'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM to its path.',
    )
  return path
}
