import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parseSync, type Plugin } from 'vite'

/** Declarations of @ionic/react that stay together: their names, where they stand in the file, what they mention. */
interface IonicModule {
  id: string
  names: string[]
  spans: [from: number, to: number][]
  refs: Set<string>
}
interface Import {
  source: string
  imported: string
}
/** A node of the parsed file; only the members read here. */
interface Syntax {
  type: string
  start: number
  end: number
  name?: string
  kind?: string
  id?: Syntax | null
  source?: { value: string } | null
  declarations?: { id: Syntax }[]
  specifiers?: { type: string; local: { name: string }; imported?: { name: string }; exported?: { name: string } }[]
}

function identifiersIn(node: unknown, found = new Set<string>()): Set<string> {
  if (!node || typeof node !== 'object') return found
  const { type, name } = node as Partial<Syntax>
  if ((type === 'Identifier' || type === 'JSXIdentifier') && name) found.add(name)
  for (const child of Object.values(node)) identifiersIn(child, found)
  return found
}

/** Sorts the top-level statements of @ionic/react into modules that can be loaded one by one. */
function readModules(statements: readonly unknown[], code: string) {
  const imports = new Map<string, Import>()
  const owner = new Map<string, IonicModule>()
  const exported = new Map<string, string>()
  const reexports: string[] = []
  const loose: IonicModule[] = []
  const reassigned: string[] = []

  for (const statement of statements as Syntax[]) {
    if (statement.type === 'ImportDeclaration') readImport(statement, imports)
    else if (statement.type === 'ExportNamedDeclaration' && statement.source)
      reexports.push(code.slice(statement.start, statement.end))
    else if (statement.type === 'ExportNamedDeclaration')
      for (const s of statement.specifiers ?? []) exported.set(s.exported?.name ?? s.local.name, s.local.name)
    else {
      const module = readDeclaration(statement)
      if (statement.kind === 'let') reassigned.push(...module.names)
      if (module.names.length === 0) loose.push(module)
      for (const name of module.names) owner.set(name, module)
    }
  }
  // A reassigned binding cannot cross modules, so all code that uses it stays in its module.
  for (const name of reassigned)
    for (const module of new Set(owner.values())) if (module.refs.has(name)) merge(owner, need(owner, name), module)
  // A statement without a name follows the declaration that it registers: the last one it mentions.
  for (const module of loose)
    merge(
      owner,
      need(
        owner,
        [...module.refs].toReversed().find(ref => owner.has(ref)),
      ),
      module,
    )

  return { imports, owner, exported, reexports, byId: new Map([...new Set(owner.values())].map(m => [m.id, m])) }
}

function need(owner: Map<string, IonicModule>, name: string | undefined): IonicModule {
  const module = name === undefined ? undefined : owner.get(name)
  if (!module) throw new Error('@ionic/react holds a top-level statement that belongs to no declaration')
  return module
}

function readImport(statement: Syntax, imports: Map<string, Import>): void {
  for (const s of statement.specifiers ?? []) {
    const named = s.type === 'ImportDefaultSpecifier' ? 'default' : (s.imported?.name ?? s.local.name)
    const imported = s.type === 'ImportNamespaceSpecifier' ? '*' : named
    imports.set(s.local.name, { source: statement.source?.value ?? '', imported })
  }
}

function readDeclaration(statement: Syntax): IonicModule {
  const variables = statement.declarations?.flatMap(declaration => [...identifiersIn(declaration.id)])
  const names = variables ?? (statement.id?.name ? [statement.id.name] : [])
  return { id: names[0] ?? '', names, spans: [[statement.start, statement.end]], refs: identifiersIn(statement) }
}

function merge(owner: Map<string, IonicModule>, into: IonicModule, from: IonicModule): void {
  if (into === from) return
  into.names.push(...from.names)
  into.spans.push(...from.spans)
  into.spans.sort((a, b) => a[0] - b[0])
  for (const ref of from.refs) into.refs.add(ref)
  for (const name of from.names) owner.set(name, into)
}

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
