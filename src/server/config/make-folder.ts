import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and those above it that are missing, for the owner of this process alone. Throws the system's error, with the path, where one cannot be made.
 * One after the other: below /proc, Node tries for ever to make them all at once.
 */
export function makeFolder(path: string): void {
  const full = resolve(path)
  if (existsSync(full)) return
  makeFolder(dirname(full))
  mkdirSync(full, { mode: 0o700 })
}
