-- Whose trial a seller had: it covers the seller for that account only.
alter table seller_claim add column trial_account_id bigint;
update seller_claim c set trial_account_id = a.id from account a, membership m
  where m.merchant_id = c.merchant_id and m.account_id = a.id and a.trial_started_at = c.trial_used_at;
