;; Finds where grams of up to four units may stand: eight buckets of them, told by the nibbles of each unit's low byte,
;; then by one bit of a filter per hash of a gram. Memory: 0 masks, 128 candidates of a block, 1024 the filter.
(module
  (memory (export "memory") 4)
  (func $listed (param $gram i32) (param $shift i32) (result i32)
    (local $bit i32)
    (i32.and
      (i32.shr_u
        (i32.load8_u offset=1024
          (i32.shr_u
            (local.tee $bit
              (i32.shr_u (i32.mul (local.get $gram) (i32.const 0x9e3779b1)) (local.get $shift)))
            (i32.const 3)))
        (i32.and (local.get $bit) (i32.const 7)))
      (i32.const 1)))
  ;; Looks at the units from $at to $end; writes each candidate to $out, its buckets in the upper byte, and stops at $full.
  ;; $kinds: which buckets hold grams of four, three, two units, and which need no filter, a byte each.
  ;; Returns where writing ended; where reading ended stands at 144.
  (func (export "scan") (param $at i32) (param $end i32) (param $out i32) (param $full i32) (param $shift i32) (param $kinds i32) (result i32)
    (local $lo0 v128) (local $hi0 v128) (local $lo1 v128) (local $hi1 v128)
    (local $lo2 v128) (local $hi2 v128) (local $lo3 v128) (local $hi3 v128)
    (local $low v128) (local $zero v128)
    (local $v v128) (local $c v128) (local $bits i32) (local $place i32) (local $bucket i32) (local $gram i32) (local $nth i32)
    (local.set $low (v128.const i8x16 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15))
    (local.set $lo0 (v128.load offset=0 (i32.const 0)))
    (local.set $hi0 (v128.load offset=16 (i32.const 0)))
    (local.set $lo1 (v128.load offset=32 (i32.const 0)))
    (local.set $hi1 (v128.load offset=48 (i32.const 0)))
    (local.set $lo2 (v128.load offset=64 (i32.const 0)))
    (local.set $hi2 (v128.load offset=80 (i32.const 0)))
    (local.set $lo3 (v128.load offset=96 (i32.const 0)))
    (local.set $hi3 (v128.load offset=112 (i32.const 0)))
    (block $stop
      (loop $blocks
        (br_if $stop (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $v (v128.load offset=0 (local.get $at)))
        (local.set $c (v128.and
          (i8x16.swizzle (local.get $lo0) (v128.and (local.get $v) (local.get $low)))
          (i8x16.swizzle (local.get $hi0) (v128.and (i16x8.shr_u (local.get $v) (i32.const 4)) (local.get $low)))))
        (local.set $v (v128.load offset=1 (local.get $at)))
        (local.set $c (v128.and (local.get $c) (v128.and
          (i8x16.swizzle (local.get $lo1) (v128.and (local.get $v) (local.get $low)))
          (i8x16.swizzle (local.get $hi1) (v128.and (i16x8.shr_u (local.get $v) (i32.const 4)) (local.get $low))))))
        (local.set $v (v128.load offset=2 (local.get $at)))
        (local.set $c (v128.and (local.get $c) (v128.and
          (i8x16.swizzle (local.get $lo2) (v128.and (local.get $v) (local.get $low)))
          (i8x16.swizzle (local.get $hi2) (v128.and (i16x8.shr_u (local.get $v) (i32.const 4)) (local.get $low))))))
        (local.set $v (v128.load offset=3 (local.get $at)))
        (local.set $c (v128.and (local.get $c) (v128.and
          (i8x16.swizzle (local.get $lo3) (v128.and (local.get $v) (local.get $low)))
          (i8x16.swizzle (local.get $hi3) (v128.and (i16x8.shr_u (local.get $v) (i32.const 4)) (local.get $low))))))
        (if (v128.any_true (local.get $c))
          (then
            (local.set $bits (i8x16.bitmask (i8x16.ne (local.get $c) (local.get $zero))))
            (v128.store offset=128 (i32.const 0) (local.get $c))
            (loop $lanes
              (local.set $nth (i32.ctz (local.get $bits)))
              (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
              (local.set $place (i32.add (local.get $at) (local.get $nth)))
              (local.set $bucket (i32.load8_u offset=128 (local.get $nth)))
              (local.set $gram (i32.or (i32.load (local.get $place)) (i32.const 0x20202020)))
              (if (i32.or (i32.or (i32.or
                    (i32.and (local.get $bucket) (i32.shr_u (local.get $kinds) (i32.const 24)))
                    (if (result i32) (i32.and (local.get $bucket) (local.get $kinds))
                      (then (call $listed (local.get $gram) (local.get $shift))) (else (i32.const 0))))
                    (if (result i32) (i32.and (local.get $bucket) (i32.shr_u (local.get $kinds) (i32.const 8)))
                      (then (call $listed (i32.and (local.get $gram) (i32.const 0xffffff)) (local.get $shift))) (else (i32.const 0))))
                    (if (result i32) (i32.and (local.get $bucket) (i32.shr_u (local.get $kinds) (i32.const 16)))
                      (then (call $listed (i32.and (local.get $gram) (i32.const 0xffff)) (local.get $shift))) (else (i32.const 0))))
                (then
                  (i32.store (local.get $out) (i32.or (local.get $place) (i32.shl (local.get $bucket) (i32.const 24))))
                  (local.set $out (i32.add (local.get $out) (i32.const 4)))))
              (br_if $lanes (local.get $bits)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $blocks (i32.lt_u (local.get $out) (local.get $full)))))
    (i32.store offset=144 (i32.const 0) (local.get $at))
    (local.get $out))
)
