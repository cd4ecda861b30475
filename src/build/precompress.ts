import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(js|css|html|svg|webmanifest|json|txt)$/
const leastBytes = 512

/** Writes a .br and a .gz beside every text file of the build, after the worker has been written too. */
export function precompress(): Plugin {
  let folder = ''
  return {
    name: 'tideline:precompress',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const entries = await readdir(folder, { recursive: true, withFileTypes: true })
        const files = entries.filter(e => e.isFile() && compressible.test(e.name)).map(e => join(e.parentPath, e.name))
        await Promise.all(files.map(compress))
      },
    },
  }
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < leastBytes) return
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
}
