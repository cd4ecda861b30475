import { spawn, spawnSync } from 'node:child_process'

/** True when a command is on the path. */
export const has = command => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

/** True for the user that may install packages and become another. */
export const isRoot = process.getuid?.() === 0

/** Installs Debian packages where that is allowed; else does nothing, and the caller finds them still missing. */
export const aptInstall = async packages => {
  if (!isRoot || !has('apt-get')) return
  process.stdout.write(`Installing ${packages.join(', ')} …\n`)
  await quietly('apt-get update -qq')
  await quietly(`apt-get install -y -qq --no-install-recommends ${packages.join(' ')}`)
}

const quietly = script =>
  new Promise(resolve => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const child = spawn('sh', ['-c', script], { env, stdio: 'ignore' })
    child.once('error', resolve)
    child.once('exit', resolve)
  })
