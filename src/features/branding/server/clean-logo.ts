import type Sharp from 'sharp'
import { AppError } from '#shared/errors.ts'
import { numberText } from '#shared/money.ts'

const maxSide = 4096
const keptSide = 512
const timeoutSeconds = 5

const starts = (bytes: Buffer, hex: string, at = 0): boolean =>
  bytes.subarray(at, at + hex.length / 2).toString('hex') === hex

/** Each format by how its files begin and end. The name and media type that a browser sends are not believed. */
const formats = {
  png: {
    begins: (b: Buffer) => starts(b, '89504e470d0a1a0a'),
    ends: (b: Buffer) => starts(b, '0000000049454e44ae426082', b.length - 12),
  },
  jpeg: { begins: (b: Buffer) => starts(b, 'ffd8ff'), ends: (b: Buffer) => starts(b, 'ffd9', b.length - 2) },
  webp: {
    begins: (b: Buffer) => starts(b, '52494646') && starts(b, '57454250', 8),
    ends: (b: Buffer) => b.length >= 12 && b.length === b.readUInt32LE(4) + 8,
  },
}
type Format = keyof typeof formats

const saveAs = 'Save the logo as PNG, JPEG or WebP and upload that file.'

function formatOf(bytes: Buffer): Format {
  const found = (Object.keys(formats) as Format[]).find(name => formats[name].begins(bytes))
  if (found) return found
  const start = bytes.subarray(0, 1024).toString('latin1').toLowerCase()
  const message = start.startsWith('gif8')
    ? `GIF files are not accepted. ${saveAs}`
    : start.includes('<svg')
      ? `SVG files are not accepted, because they can run code. ${saveAs}`
      : `This is not a PNG, JPEG or WebP image. ${saveAs}`
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', message)
}

let opening: Promise<typeof Sharp> | undefined

// The library takes 20 MB, and most processes never see a logo. It may read the three formats only, whatever a file says.
function openSharp(): Promise<typeof Sharp> {
  opening ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
    })
    return sharp
  })
  return opening
}

/**
 * A picture that a stranger sent, as a PNG of our own of at most 512 pixels on a side: nothing of the file but its pixels is
 * kept. Throws UNSUPPORTED_MEDIA_TYPE or RULE_VIOLATED with a sentence for what is no such picture, has something behind it,
 * or would take too much memory or time.
 */
export async function cleanLogo(upload: Uint8Array): Promise<Buffer> {
  const bytes = Buffer.from(upload)
  const format = formatOf(bytes)
  if (!formats[format].ends(bytes))
    throw new AppError(
      'RULE_VIOLATED',
      'The file does not end where its image ends: it is incomplete, or something was added to it. Export the image again.',
    )
  const sharp = await openSharp()
  const unreadable = (cause: unknown) =>
    new AppError('RULE_VIOLATED', 'The image is damaged and cannot be read. Export it again.', { cause })
  const options = { limitInputPixels: maxSide * maxSide, failOn: 'warning', animated: false } as const
  // Its size is in its head: nothing is unpacked for it.
  const { width, height } = await sharp(bytes, { ...options, limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => {
      throw unreadable(cause)
    })
  if (width > maxSide || height > maxSide) {
    const [w, h, most] = [width, height, maxSide].map(side => numberText(side))
    throw new AppError('RULE_VIOLATED', `The image is ${w} × ${h} pixels. It can be at most ${most} × ${most}.`)
  }
  try {
    return await sharp(bytes, options)
      .timeout({ seconds: timeoutSeconds })
      .rotate()
      .resize({ width: keptSide, height: keptSide, fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .toBuffer()
  } catch (cause) {
    throw unreadable(cause)
  }
}
