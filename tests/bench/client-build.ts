import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sources = ['src/client', 'src/features', 'src/shared', 'src/main', 'public', 'index.html', 'vite.config.ts']

function newest(path: string): number {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(0, ...readdirSync(path).map(name => newest(join(path, name))))
}

/** The folder of the built client, built now when it is missing or older than its sources. Throws when that fails. */
export function clientBuild(): string {
  const folder = join(root, 'dist/client')
  const index = join(folder, 'index.html')
  const current = existsSync(index) && statSync(index).mtimeMs >= Math.max(...sources.map(s => newest(join(root, s))))
  if (current) return folder
  console.log('Building the client …')
  const built = spawnSync('vite', ['build', '--logLevel', 'warn'], { cwd: root, encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`The client could not be built.\n${built.stdout}${built.stderr}`)
  return folder
}
