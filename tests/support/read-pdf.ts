import { inflateSync } from 'node:zlib'

/** What a PDF of ours says to programs that read it aloud or check it: read from its objects, without a library. */
export function readPdf(bytes: Buffer) {
  const text = bytes.toString('latin1')
  const objects = new Map<string, string>()
  for (const [, id = '', body = ''] of text.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) objects.set(id, body)
  const all = [...objects.values()]
  const catalog = all.find(body => /\/Type \/Catalog/.test(body)) ?? ''
  const info = all.find(body => /\/Creator/.test(body)) ?? ''
  const elements = all.filter(
    body => /\/S \/\w+/.test(body) && /\/P \d+ 0 R/.test(body) && !/\/Type \/Page\b/.test(body),
  )
  const fonts = all.filter(body => /\/Type \/FontDescriptor/.test(body))
  const pages = all.filter(body => /\/Type \/Page\b/.test(body))
  const contents = pages.map(page => streamOf(objects.get(/\/Contents (\d+) 0 R/.exec(page)?.[1] ?? '') ?? ''))
  const referred = (body: string, name: string) => {
    const id = new RegExp(`/${name} (\\d+) 0 R`).exec(body)?.[1]
    return id === undefined ? undefined : stringOf(`/${name} ${objects.get(id)}`, name)
  }
  return {
    lang: stringOf(catalog, 'Lang'),
    isMarked: /\/Marked true/.test(text),
    isTitleShown: /\/DisplayDocTitle true/.test(text),
    title: referred(info, 'Title') ?? '',
    author: referred(info, 'Author'),
    pages: pages.length,
    fonts: fonts.map(body => ({
      name: /\/FontName \/(\S+)/.exec(body)?.[1] ?? '',
      isEmbedded: /\/FontFile[23]? \d+ 0 R/.test(body),
    })),
    images: all.filter(body => /\/Subtype \/Image/.test(body)).length,
    structure: {
      types: elements.map(body => /\/S \/(\w+)/.exec(body)?.[1] ?? ''),
      alternatives: elements.flatMap(body => stringOf(body, 'Alt') ?? []),
      untagged: contents.flatMap(untaggedText),
    },
  }
}

function stringOf(body: string, name: string): string | undefined {
  const found = new RegExp(`/${name} \\(((?:\\\\[\\s\\S]|[^\\\\)])*)\\)`).exec(body)?.[1]
  if (found === undefined) return undefined
  const raw = Buffer.from(
    found.replace(/\\([\s\S])/g, (_, char: string) => ({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' })[char] ?? char),
    'latin1',
  )
  return raw[0] === 0xfe && raw[1] === 0xff ? raw.subarray(2).swap16().toString('utf16le') : raw.toString('latin1')
}

function streamOf(body: string): string {
  const at = body.indexOf('stream\n')
  const data = Buffer.from(body.slice(at + 7, body.lastIndexOf('\nendstream')), 'latin1')
  return /\/FlateDecode/.test(body.slice(0, at)) ? inflateSync(data).toString('latin1') : data.toString('latin1')
}

/** Operators that draw outside of any marked content. */
function untaggedText(content: string): string[] {
  let depth = 0
  const found: string[] = []
  for (const line of content.split('\n')) {
    if (/\b(BDC|BMC)$/.test(line)) depth += 1
    else if (/\bEMC$/.test(line)) depth -= 1
    else if (depth === 0 && /(^|\s)(Tj|TJ|f|f\*|S|B|Do)$/.test(line)) found.push(line)
  }
  return found
}
