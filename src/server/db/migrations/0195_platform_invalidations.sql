-- Tells every process what it may no longer trust from memory: `account 5`, `merchant 7`. Triggers, so that no writer can
-- forget it, not even a person with psql. The arguments are the kind and the column with the id.
create function notify_invalidation() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    perform pg_notify('tideline_invalidations', tg_argv[0] || ' ' || (to_jsonb(new)->>tg_argv[1]));
  end if;
  if tg_op <> 'INSERT' then
    perform pg_notify('tideline_invalidations', tg_argv[0] || ' ' || (to_jsonb(old)->>tg_argv[1]));
  end if;
  return null;
end $$;

-- A subscription gives access to all who share a merchant with its owner.
create function notify_sharing_merchants() returns trigger language plpgsql as $$
begin
  perform pg_notify('tideline_invalidations', 'merchant ' || merchant_id) from membership
  where account_id = case when tg_op = 'DELETE' then old.account_id else new.account_id end;
  return null;
end $$;

create trigger account_invalidation after update or delete on account
  for each row execute function notify_invalidation('account', 'id');
-- A session that has just begun is in no memory.
create trigger session_invalidation after update or delete on session
  for each row execute function notify_invalidation('account', 'account_id');
create trigger role_invalidation after insert or update or delete on account_role
  for each row execute function notify_invalidation('account', 'account_id');
create trigger membership_invalidation after insert or update or delete on membership
  for each row execute function notify_invalidation('account', 'account_id');
create trigger membership_invalidation_of_merchant after insert or update or delete on membership
  for each row execute function notify_invalidation('merchant', 'merchant_id');
create trigger subscription_invalidation after insert or update or delete on subscription
  for each row execute function notify_invalidation('account', 'account_id');
create trigger subscription_invalidation_of_merchants after insert or update or delete on subscription
  for each row execute function notify_sharing_merchants();
create trigger trial_invalidation after insert or update or delete on seller_claim
  for each row execute function notify_invalidation('merchant', 'merchant_id');
create trigger version_invalidation after insert or update or delete on tenant_version
  for each row execute function notify_invalidation('merchant', 'merchant_id');
