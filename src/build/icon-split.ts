import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const prefix = '\0ionicon:'
const declaration = /^export const (\w+) = (".*");?$/gm
const importLine = /import \{([^}]+)\} from ['"]ionicons\/icons['"];?/g

/**
 * Gives each icon a module of its own. The package ships all of them in one, which would put every icon that any screen
 * uses into the first visit. Build only; it throws for an icon that the package does not have.
 */
export function iconSplit(): Plugin {
  const file = createRequire(import.meta.url)
    .resolve('ionicons/icons')
    .replace(/\.js$/, '.mjs')
  const icons = new Map([...readFileSync(file, 'utf8').matchAll(declaration)].map(([, name, data]) => [name, data]))
  return {
    name: 'tideline:icon-split',
    apply: 'build',
    enforce: 'pre',
    resolveId: id => (id.startsWith('ionicon/') ? prefix + id.slice('ionicon/'.length) : null),
    load(id) {
      if (!id.startsWith(prefix)) return null
      const name = id.slice(prefix.length)
      const data = icons.get(name)
      if (!data) throw new Error(`ionicons has no icon ${name}`)
      return { code: `export const ${name} = ${data}`, moduleSideEffects: false }
    },
    transform(code, id) {
      if (id.includes('/node_modules/') || !code.includes('ionicons/icons')) return null
      const each = (_line: string, names: string) =>
        names
          .split(',')
          .map(name => name.trim())
          .filter(Boolean)
          .map(name => `import { ${name} } from 'ionicon/${name.split(' as ')[0]}';`)
          .join(' ')
      return { code: code.replace(importLine, each), map: null }
    },
  }
}
