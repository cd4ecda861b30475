import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Creates a folder and its parents, for this user only. One by one: a recursive mkdir never returns below /proc. */
export function makeFolder(path: string): void {
  const full = resolve(path)
  if (existsSync(full)) return
  makeFolder(dirname(full))
  mkdirSync(full, { mode: 0o700 })
}
