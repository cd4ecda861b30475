-- The latest change of a group stands for all of it in lists.
create index entity_change_group_latest on entity_change (merchant_id, group_id, id desc);
drop index entity_change_group;
