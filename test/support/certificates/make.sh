#!/bin/sh
# Makes these files anew: receivers' certificates, each with its key, and the authority that signed all but one of them.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
touch "$work/index"

cat > "$work/ca.cnf" <<CONFIG
[ca]
default_ca = own
[own]
database = $work/index
new_certs_dir = $work
rand_serial = yes
default_md = sha256
policy = any
copy_extensions = copy
unique_subject = no
[any]
commonName = supplied
CONFIG

always='-startdate 20200101000000Z -enddate 21190101000000Z'
names=subjectAltName=DNS:receiver.example,DNS:localhost,IP:127.0.0.1,IP:::1

# request <name> <extension>…: a key and what is to be signed
request() {
  name=$1
  shift
  openssl ecparam -name prime256v1 -genkey -noout -out "$work/$name.key"
  for extension; do set -- "$@" -addext "$extension"; shift; done
  openssl req -new -key "$work/$name.key" -subj "/CN=$name" "$@" -out "$work/$name.csr"
}

# sign <name> <option>…
sign() {
  name=$1
  shift
  openssl ca -batch -notext -config "$work/ca.cnf" "$@" -in "$work/$name.csr" -out "$work/$name.crt"
}

request authority basicConstraints=critical,CA:true keyUsage=critical,keyCertSign
sign authority $always -selfsign -keyfile "$work/authority.key"
cp "$work/authority.crt" authority.pem
by_authority="-cert authority.pem -keyfile $work/authority.key"

request good "$names"
sign good $always $by_authority
request expired "$names"
sign expired -startdate 20200101000000Z -enddate 20200201000000Z $by_authority
request other-name subjectAltName=DNS:other.example
sign other-name $always $by_authority
request self-signed "$names"
sign self-signed $always -selfsign -keyfile "$work/self-signed.key"

for name in good expired other-name self-signed; do
  cat "$work/$name.key" "$work/$name.crt" > "$name.pem"
done
