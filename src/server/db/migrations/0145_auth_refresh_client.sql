-- A digest of the client that used the token: within the grace period only the same one is answered again.
alter table refresh_token add column used_by text;
