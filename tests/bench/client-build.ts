import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const common = ['src/build', 'src/features', 'src/shared', 'src/main']

function newest(path: string): number {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(0, ...readdirSync(path).map(name => newest(join(path, name))))
}

/** The folder of the built client, built now when it is missing or older than its sources. Throws when that fails. */
export function clientBuild(): string {
  build('client', 'index.html', ['src/client', 'public', 'index.html', 'vite.config.ts'], [])
  return join(root, 'dist/client')
}

/** Builds the server when it is missing or older than its sources. Throws when that fails. */
export function serverBuild(): void {
  build('server', 'server.js', ['src/server', 'src/integrations'], ['--config', 'src/build/server-config.ts'])
}

function build(what: string, written: string, sources: string[], options: string[]): void {
  const file = join(root, 'dist', what, written)
  const changed = Math.max(...[...common, ...sources].map(source => newest(join(root, source))))
  if (existsSync(file) && statSync(file).mtimeMs >= changed) return
  console.log(`Building the ${what} …`)
  const built = spawnSync('vite', ['build', '--logLevel', 'warn', ...options], { cwd: root, encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`The ${what} could not be built.\n${built.stdout}${built.stderr}`)
}
