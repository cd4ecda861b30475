// The certificate library looks for it when it is loaded.
import 'reflect-metadata'
import { once } from 'node:events'
import { mkdtempSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
  type X509CertificateCreateSelfSignedParams,
} from '@peculiar/x509'
import { vendorHosts } from './vendor-hosts.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000
const AUTHORITY_DAYS = 825
const SERVER_DAYS = 90

// The library's declarations mean the browser's key types, which differ from Node's in name only.
type KeyPair = X509CertificateCreateSelfSignedParams['keys']
type PrivateKey = KeyPair['privateKey']

interface Authority {
  certificate: X509Certificate
  key: PrivateKey
}

const newKeys = async (): Promise<KeyPair> =>
  (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as unknown as KeyPair

const keyToPem = async (key: PrivateKey): Promise<string> =>
  PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')

async function keyFromPem(pem: string): Promise<PrivateKey> {
  return (await crypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(pem), algorithm, false, [
    'sign',
  ])) as unknown as PrivateKey
}

async function makeAuthority(certificateFile: string, keyFile: string): Promise<Authority> {
  const keys = await newKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Authority of an emulated marketplace',
    keys,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + AUTHORITY_DAYS * DAY_MS),
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  })
  writeFileSync(keyFile, await keyToPem(keys.privateKey), { mode: 0o600 })
  chmodSync(keyFile, 0o600)
  writeFileSync(certificateFile, `${certificate.toString('pem')}\n`)
  return { certificate, key: keys.privateKey }
}

/** The authority of this folder; a new one where there is none, or where it would end before the server's certificate. */
async function openAuthority(certificateFile: string, keyFile: string): Promise<Authority> {
  if (existsSync(certificateFile) && existsSync(keyFile)) {
    const certificate = new X509Certificate(readFileSync(certificateFile, 'utf8'))
    if (certificate.notAfter.getTime() > Date.now() + SERVER_DAYS * DAY_MS)
      return { certificate, key: await keyFromPem(readFileSync(keyFile, 'utf8')) }
  }
  return makeAuthority(certificateFile, keyFile)
}

/**
 * A certificate for these names and addresses as PEM, new at each start and signed by an authority that stays in the
 * folder: clients must trust the one in `authorityFile`. Throws when the folder cannot be written.
 */
async function openCertificates(folder: string, names: readonly string[]) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const authorityFile = join(folder, 'ca.pem')
  const authority = await openAuthority(authorityFile, join(folder, 'ca-key.pem'))
  const keys = await newKeys()
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=Emulated marketplace',
    issuer: authority.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: authority.key,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + SERVER_DAYS * DAY_MS),
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        names.map(value => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
    ],
  })
  return { authorityFile, key: await keyToPem(keys.privateKey), certificate: certificate.toString('pem') }
}

/**
 * Answers HTTPS on a port with a certificate for the vendors' hosts and this machine. The authority behind it stays in the
 * data folder; without one it is new at each start. Throws when the port is taken or the folder cannot be written.
 */
export async function startHttps(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  { port, host, data, publicUrl }: { port: number; host: string; data: string | undefined; publicUrl: string },
) {
  const folder = data ? join(data, 'https') : mkdtempSync(join(tmpdir(), 'emulator-https-'))
  const own = URL.parse(publicUrl)?.hostname.replace(/^\[|\]$/g, '')
  const names = new Set(['localhost', '127.0.0.1', '::1', ...(own ? [own] : []), ...vendorHosts])
  const { authorityFile, key, certificate } = await openCertificates(folder, [...names])
  const server = createServer({ key, cert: certificate }, handler)
  await once(server.listen(port, host), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** What clients must trust, as in NODE_EXTRA_CA_CERTS. */
    authorityFile,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
