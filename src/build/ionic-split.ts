import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parseSync, type Plugin } from 'vite'
import { type IonicModule, readModules } from './ionic-modules.ts'

const prefix = '\0ionic:'

/**
 * Splits @ionic/react, which ships as one module, into one virtual module per top-level declaration, so that a
 * component lands in the chunk of the route that uses it and unused ones disappear. Build only. It reads a third
 * party's bundle: @ionic/react is pinned exactly, and critical-size.ts shows at once when the split stops working.
 */
export function ionicSplit(): Plugin {
  const file = createRequire(import.meta.url).resolve('@ionic/react')
  const code = readFileSync(file, 'utf8')
  const ionic = readModules(parseSync(file, code).program.body, code)
  return {
    name: 'tideline:ionic-split',
    apply: 'build',
    enforce: 'pre',
    resolveId(id, from) {
      if (id === '@ionic/react' && !from?.startsWith(prefix)) return { id: `${prefix}index`, moduleSideEffects: false }
      if (id.startsWith('ionic-split/'))
        return { id: prefix + id.slice('ionic-split/'.length), moduleSideEffects: false }
      return from?.startsWith(prefix) ? this.resolve(id, file, { skipSelf: true }) : null
    },
    load(id) {
      if (!id.startsWith(prefix)) return null
      const name = id.slice(prefix.length)
      const text = name === 'index' ? indexCode(ionic) : moduleCode(ionic, name, code)
      return { code: text, moduleSideEffects: false }
    },
  }
}

type Ionic = ReturnType<typeof readModules>

function indexCode({ reexports, exported, imports, owner }: Ionic): string {
  return [
    ...reexports,
    ...[...exported].map(([name, local]) => {
      const from = imports.get(local)
      if (from) return `export { ${from.imported} as ${name} } from ${JSON.stringify(from.source)};`
      return `export { ${local} as ${name} } from "ionic-split/${owner.get(local)?.id}";`
    }),
  ].join('\n')
}

function moduleCode({ imports, owner, byId }: Ionic, name: string, code: string): string {
  const module = byId.get(name)
  if (!module) throw new Error(`@ionic/react has no declaration ${name}`)
  const head = [...module.refs].filter(ref => !module.names.includes(ref)).map(ref => importLine(ref, imports, owner))
  const body = module.spans.map(([from, to]) => code.slice(from, to))
  return `${head.join('\n')}\n${body.join('\n')}\nexport { ${module.names.join(', ')} };`
}

function importLine(ref: string, imports: Ionic['imports'], owner: Map<string, IonicModule>): string {
  const from = imports.get(ref)
  if (from?.imported === '*') return `import * as ${ref} from ${JSON.stringify(from.source)};`
  if (from) return `import { ${from.imported} as ${ref} } from ${JSON.stringify(from.source)};`
  const own = owner.get(ref)
  return own ? `import { ${ref} } from "ionic-split/${own.id}";` : ''
}
