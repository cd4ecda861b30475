import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder and its missing parents, accessible to this process's user only. Throws the system's error, with the
 * path. Creates them one by one, because Node's recursive mkdir never returns below /proc.
 */
export function makeFolder(path: string): void {
  const full = resolve(path)
  if (existsSync(full)) return
  makeFolder(dirname(full))
  mkdirSync(full, { mode: 0o700 })
}
