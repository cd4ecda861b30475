import { createConnectionTokens } from '#features/accounts/server/public.ts'
import { type AmazonAds, createAmazonAds } from '#integrations/amazon-ads/index.ts'
import { createEuropeanCentralBank, type EuropeanCentralBank } from '#integrations/european-central-bank/index.ts'
import { createLoginWithAmazon, type LoginWithAmazon } from '#integrations/login-with-amazon/index.ts'
import { createMailer, type Mailer } from '#integrations/mail/index.ts'
import { createPayments, type Payments } from '#integrations/stripe/index.ts'
import { createSellingPartner, type SellingPartner } from '#integrations/selling-partner/index.ts'
import { createWebPush, type VapidKey, type WebPush } from '#integrations/web-push/index.ts'
import type { Config } from '#server/config/config.ts'
import type { Integrations, Services } from '#server/context.ts'
import type { AccessTokens } from '#server/http-client/access-tokens.ts'
import type { HttpPolicy } from '#server/http-client/http-client.ts'
import { createTokenBuckets, type TokenBuckets } from '#server/http-client/token-buckets.ts'

declare module '#server/context.ts' {
  interface Integrations {
    /** The advertising application's log-in. */
    loginWithAmazon: LoginWithAmazon
    /** The selling partner application's log-in, which has a client id of its own. */
    loginWithAmazonSellers: LoginWithAmazon
    amazonAds: AmazonAds
    /** The same door with a token that belongs to no stored connection yet. */
    amazonAdsOf(accessToken: string): AmazonAds
    sellingPartner: SellingPartner
    sellingPartnerOf(accessToken: string): SellingPartner
    mailer: Mailer
    webPush: WebPush
    europeanCentralBank: EuropeanCentralBank
    payments: Payments
  }
}

/**
 * Creates the clients of the outside services at the addresses in the settings, with their default or the given time limits.
 * Without `vapidKeys` push is off. The marketplaces' quotas are counted in `buckets`, by default for this process alone.
 */
export function openIntegrations(
  services: Omit<Services, 'integrations'>,
  policy: Partial<HttpPolicy> = {},
  vapidKeys: readonly VapidKey[] = [],
  buckets: TokenBuckets = createTokenBuckets(),
): Integrations {
  const { config, clock, log } = services
  const shared = { clock, log, policy }
  const loginWithAmazon = createLoginWithAmazon({
    authorizeUrls: {
      NA: config.LWA_AUTHORIZE_URL_NA,
      EU: config.LWA_AUTHORIZE_URL_EU,
      FE: config.LWA_AUTHORIZE_URL_FE,
    },
    tokenUrl: config.LWA_TOKEN_URL,
    clientId: config.ADS_CLIENT_ID ?? '',
    clientSecret: config.ADS_CLIENT_SECRET ?? '',
    ...shared,
  })
  const loginWithAmazonSellers = createLoginWithAmazon({
    tokenUrl: config.LWA_TOKEN_URL,
    clientId: config.SP_CLIENT_ID ?? '',
    clientSecret: config.SP_CLIENT_SECRET ?? '',
    ...shared,
  })
  const ofConnections = createConnectionTokens(services, {
    AMAZON_ADS: loginWithAmazon,
    SELLING_PARTNER: loginWithAmazonSellers,
  })
  const amazonAds = (tokens: AccessTokens): AmazonAds =>
    createAmazonAds({
      baseUrls: { NA: config.ADS_URL_NA, EU: config.ADS_URL_EU, FE: config.ADS_URL_FE },
      clientId: config.ADS_CLIENT_ID ?? '',
      tokens,
      buckets,
      ...(config.ADS_STREAM_QUEUE_URL && { queue: { url: config.ADS_STREAM_QUEUE_URL, ...queueKey(config) } }),
      ...shared,
    })
  const sellingPartner = (tokens: AccessTokens): SellingPartner =>
    createSellingPartner({
      baseUrls: { NA: config.SP_URL_NA, EU: config.SP_URL_EU, FE: config.SP_URL_FE },
      applicationId: config.SP_APPLICATION_ID ?? '',
      ...(config.SELLER_CENTRAL_URL && { sellerCentralUrl: config.SELLER_CENTRAL_URL }),
      tokens,
      buckets,
      ...shared,
    })
  return {
    loginWithAmazon,
    loginWithAmazonSellers,
    amazonAds: amazonAds(ofConnections),
    amazonAdsOf: accessToken => amazonAds(() => Promise.resolve(accessToken)),
    sellingPartner: sellingPartner(ofConnections),
    sellingPartnerOf: accessToken => sellingPartner(() => Promise.resolve(accessToken)),
    // Outside production there may be no mail server; a connection that is refused keeps the mail in the outbox.
    mailer: createMailer({ smtpUrl: config.SMTP_URL ?? 'smtp://127.0.0.1:1025', from: config.MAIL_FROM }),
    webPush: createWebPush({ keys: vapidKeys, contact: config.pushContact, hosts: config.PUSH_HOSTS, clock }),
    europeanCentralBank: createEuropeanCentralBank({ baseUrl: config.ECB_URL, ...shared }),
    payments: createPayments({
      secretKey: config.STRIPE_SECRET_KEY,
      url: config.STRIPE_URL,
      webhookSecrets: config.STRIPE_WEBHOOK_SECRETS,
      log,
      ...(policy.timeoutMs !== undefined && { timeoutMs: policy.timeoutMs }),
    }),
  }
}

const queueKey = ({ ADS_STREAM_QUEUE_KEY_ID: accessKeyId, ADS_STREAM_QUEUE_KEY_SECRET: secretAccessKey }: Config) =>
  accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}
