// Made by .ci/emoji from db/emoji.json of gemoji, https://github.com/github/gemoji, whose licence is:
//
// Copyright (c) 2019 GitHub, Inc.
//
// Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
// documentation files (the "Software"), to deal in the Software without restriction, including without limitation
// the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
// to permit persons to whom the Software is furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all copies or substantial portions of
// the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
// THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
// CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
// IN THE SOFTWARE.

extension EmojiNames {
  /// Smileys & Emotion, People & Body: names, each with its emoji behind it.
  static let people = """
    grinning 😀 smiley 😃 smile 😄 grin 😁 laughing 😆 satisfied 😆 sweat_smile 😅 rofl 🤣 joy 😂
    slightly_smiling_face 🙂 upside_down_face 🙃 melting_face 🫠 wink 😉 blush 😊 innocent 😇
    smiling_face_with_three_hearts 🥰 heart_eyes 😍 star_struck 🤩 kissing_heart 😘 kissing 😗 relaxed ☺️
    kissing_closed_eyes 😚 kissing_smiling_eyes 😙 smiling_face_with_tear 🥲 yum 😋 stuck_out_tongue 😛
    stuck_out_tongue_winking_eye 😜 zany_face 🤪 stuck_out_tongue_closed_eyes 😝 money_mouth_face 🤑
    hugs 🤗 hand_over_mouth 🤭 face_with_open_eyes_and_hand_over_mouth 🫢 face_with_peeking_eye 🫣
    shushing_face 🤫 thinking 🤔 saluting_face 🫡 zipper_mouth_face 🤐 raised_eyebrow 🤨 neutral_face 😐
    expressionless 😑 no_mouth 😶 dotted_line_face 🫥 smirk 😏 unamused 😒 roll_eyes 🙄 grimacing 😬
    lying_face 🤥 shaking_face 🫨 relieved 😌 pensive 😔 sleepy 😪 drooling_face 🤤 sleeping 😴 mask 😷
    face_with_thermometer 🤒 face_with_head_bandage 🤕 nauseated_face 🤢 vomiting_face 🤮
    sneezing_face 🤧 hot_face 🥵 cold_face 🥶 woozy_face 🥴 dizzy_face 😵 exploding_head 🤯
    cowboy_hat_face 🤠 partying_face 🥳 disguised_face 🥸 sunglasses 😎 nerd_face 🤓 monocle_face 🧐
    confused 😕 face_with_diagonal_mouth 🫤 worried 😟 slightly_frowning_face 🙁 frowning_face ☹️
    open_mouth 😮 hushed 😯 astonished 😲 flushed 😳 pleading_face 🥺 face_holding_back_tears 🥹
    frowning 😦 anguished 😧 fearful 😨 cold_sweat 😰 disappointed_relieved 😥 cry 😢 sob 😭 scream 😱
    confounded 😖 persevere 😣 disappointed 😞 sweat 😓 weary 😩 tired_face 😫 yawning_face 🥱 triumph 😤
    rage 😡 pout 😡 angry 😠 cursing_face 🤬 smiling_imp 😈 imp 👿 skull 💀 skull_and_crossbones ☠️
    hankey 💩 poop 💩 shit 💩 clown_face 🤡 japanese_ogre 👹 japanese_goblin 👺 ghost 👻 alien 👽
    space_invader 👾 robot 🤖 smiley_cat 😺 smile_cat 😸 joy_cat 😹 heart_eyes_cat 😻 smirk_cat 😼
    kissing_cat 😽 scream_cat 🙀 crying_cat_face 😿 pouting_cat 😾 see_no_evil 🙈 hear_no_evil 🙉
    speak_no_evil 🙊 love_letter 💌 cupid 💘 gift_heart 💝 sparkling_heart 💖 heartpulse 💗 heartbeat 💓
    revolving_hearts 💞 two_hearts 💕 heart_decoration 💟 heavy_heart_exclamation ❣️ broken_heart 💔
    heart ❤️ pink_heart 🩷 orange_heart 🧡 yellow_heart 💛 green_heart 💚 blue_heart 💙
    light_blue_heart 🩵 purple_heart 💜 brown_heart 🤎 black_heart 🖤 grey_heart 🩶 white_heart 🤍 kiss 💋
    100 💯 anger 💢 boom 💥 collision 💥 dizzy 💫 sweat_drops 💦 dash 💨 hole 🕳️ speech_balloon 💬
    left_speech_bubble 🗨️ right_anger_bubble 🗯️ thought_balloon 💭 zzz 💤 wave 👋 raised_back_of_hand 🤚
    raised_hand_with_fingers_splayed 🖐️ hand ✋ raised_hand ✋ vulcan_salute 🖖 rightwards_hand 🫱
    leftwards_hand 🫲 palm_down_hand 🫳 palm_up_hand 🫴 leftwards_pushing_hand 🫷
    rightwards_pushing_hand 🫸 ok_hand 👌 pinched_fingers 🤌 pinching_hand 🤏 v ✌️ crossed_fingers 🤞
    hand_with_index_finger_and_thumb_crossed 🫰 love_you_gesture 🤟 metal 🤘 call_me_hand 🤙
    point_left 👈 point_right 👉 point_up_2 👆 middle_finger 🖕 fu 🖕 point_down 👇 point_up ☝️
    index_pointing_at_the_viewer 🫵 +1 👍 thumbsup 👍 -1 👎 thumbsdown 👎 fist_raised ✊ fist ✊
    fist_oncoming 👊 facepunch 👊 punch 👊 fist_left 🤛 fist_right 🤜 clap 👏 raised_hands 🙌 heart_hands 🫶
    open_hands 👐 palms_up_together 🤲 handshake 🤝 pray 🙏 writing_hand ✍️ nail_care 💅 selfie 🤳
    muscle 💪 mechanical_arm 🦾 mechanical_leg 🦿 leg 🦵 foot 🦶 ear 👂 ear_with_hearing_aid 🦻 nose 👃
    brain 🧠 anatomical_heart 🫀 lungs 🫁 tooth 🦷 bone 🦴 eyes 👀 eye 👁️ tongue 👅 lips 👄 biting_lip 🫦
    baby 👶 child 🧒 boy 👦 girl 👧 adult 🧑 blond_haired_person 👱 man 👨 bearded_person 🧔 woman 👩
    older_adult 🧓 older_man 👴 older_woman 👵 frowning_person 🙍 pouting_face 🙎 no_good 🙅 ok_person 🙆
    tipping_hand_person 💁 information_desk_person 💁 raising_hand 🙋 deaf_person 🧏 bow 🙇 facepalm 🤦
    shrug 🤷 police_officer 👮 cop 👮 detective 🕵️ guard 💂 ninja 🥷 construction_worker 👷
    person_with_crown 🫅 prince 🤴 princess 👸 person_with_turban 👳 man_with_gua_pi_mao 👲
    woman_with_headscarf 🧕 person_in_tuxedo 🤵 person_with_veil 👰 pregnant_woman 🤰 pregnant_man 🫃
    pregnant_person 🫄 breast_feeding 🤱 angel 👼 santa 🎅 mrs_claus 🤶 superhero 🦸 supervillain 🦹 mage 🧙
    fairy 🧚 vampire 🧛 merperson 🧜 elf 🧝 genie 🧞 zombie 🧟 troll 🧌 massage 💆 haircut 💇 walking 🚶
    standing_person 🧍 kneeling_person 🧎 runner 🏃 running 🏃 woman_dancing 💃 dancer 💃 man_dancing 🕺
    business_suit_levitating 🕴️ dancers 👯 sauna_person 🧖 climbing 🧗 person_fencing 🤺 horse_racing 🏇
    skier ⛷️ snowboarder 🏂 golfing 🏌️ surfer 🏄 rowboat 🚣 swimmer 🏊 bouncing_ball_person ⛹️
    weight_lifting 🏋️ bicyclist 🚴 mountain_bicyclist 🚵 cartwheeling 🤸 wrestling 🤼 water_polo 🤽
    handball_person 🤾 juggling_person 🤹 lotus_position 🧘 bath 🛀 sleeping_bed 🛌
    two_women_holding_hands 👭 couple 👫 two_men_holding_hands 👬 couplekiss 💏 couple_with_heart 💑
    family 👪 speaking_head 🗣️ bust_in_silhouette 👤 busts_in_silhouette 👥 people_hugging 🫂
    footprints 👣
    """
}
